// Play: by keyboard alone, with hints, over reloads, in every format.
import { HARD, PUZZLE, SOLUTION, assert, equal, test } from "./harness.mjs";

/** The digits on the board, row by row. */
const board = (page) => page.$$eval(".stage .board [role=gridcell]", (cells) => cells.map((cell) => cell.querySelector(".digit")?.textContent ?? ".").join(""));

test("play: a puzzle is solved to the end by keyboard alone", async ({ page, open }) => {
  await open(`/play?p=${PUZZLE}`);
  await page.keyboard.press("Escape");
  // From the first empty cell to the top left corner, then row by row.
  for (let nth = 0; nth < 9; nth++) await page.keyboard.press("ArrowLeft").then(() => {});
  const start = PUZZLE.indexOf(".");
  let at = Math.floor(start / 9) * 9 + (start % 9);
  for (let cell = 0; cell < 81; cell++) {
    if (PUZZLE[cell] !== ".") continue;
    const [row, column] = [Math.floor(cell / 9), cell % 9];
    while (Math.floor(at / 9) !== row) { await page.keyboard.press("ArrowDown"); at = (at + 9) % 81; }
    while (at % 9 !== column) { await page.keyboard.press("ArrowRight"); at = Math.floor(at / 9) * 9 + ((at % 9) + 1) % 9; }
    await page.keyboard.press(cell % 2 ? `Numpad${SOLUTION[cell]}` : `Digit${SOLUTION[cell]}`);
  }
  equal(await board(page), SOLUTION);
  await page.getByText("✓ Solved.").waitFor();
});

test("play: cells have labels, and conflicts are hatched", async ({ page, open }) => {
  await open(`/play?p=${PUZZLE}`);
  await page.locator('[data-cell="0"]').click();
  await page.keyboard.press("Digit7");
  const label = await page.locator('[data-cell="0"]').getAttribute("aria-label");
  equal(label, "row 1 column 1, 7, conflict");
  assert(await page.locator('[data-cell="0"] .hatch').count() === 1, "no hatch on the entry");
  assert(await page.locator('[data-cell="2"] .hatch').count() === 1, "no hatch on the given it repeats");
  equal(await page.locator('[data-cell="2"]').getAttribute("aria-label"), "row 1 column 3, 7, given, conflict");
});

test("play: notes in centre and corner, colours, several cells at once", async ({ page, open }) => {
  await open(`/play?p=${PUZZLE}`);
  await page.locator('[data-cell="0"]').click();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Control+Digit4");
  await page.keyboard.press("Alt+Digit8");
  await page.keyboard.press("Shift+Digit9");
  equal(await page.locator('[data-cell="1"]').getAttribute("aria-label"), "row 1 column 2, empty, notes 4 and 8, corner notes 9");
  equal(await page.locator('[data-cell="0"]').getAttribute("aria-label"), "row 1 column 1, empty, notes 4 and 8, corner notes 9");
  await page.keyboard.press("v");
  await page.keyboard.press("Digit3");
  assert((await page.locator('[data-cell="1"]').getAttribute("aria-label")).includes("colour 3"), "no colour");
  await page.keyboard.press("z");
  await page.keyboard.press("Digit4");
  equal((await board(page)).slice(0, 2), "44");
  await page.keyboard.press("Backspace");
  equal((await board(page)).slice(0, 2), "..");
  equal(await page.locator('[data-cell="0"]').getAttribute("aria-label"), "row 1 column 1, empty, notes 4 and 8, corner notes 9, colour 3");
});

test("play: touch and keypad enter, Ctrl adds to the selection, drawing selects", async ({ page, open }) => {
  await open(`/play?p=${PUZZLE}`);
  const box = await page.locator(".stage .board").boundingBox();
  const middle = (cell) => [box.x + (box.width * ((cell % 9) + 0.5)) / 9, box.y + (box.height * (Math.floor(cell / 9) + 0.5)) / 9];
  await page.mouse.move(...middle(0));
  await page.mouse.down();
  await page.mouse.move(...middle(1), { steps: 4 });
  await page.mouse.up();
  equal(await page.locator(".stage .board .selected").count(), 2);
  await page.getByRole("button", { name: "Centre", exact: true }).click();
  await page.getByRole("button", { name: "Enter 9" }).click();
  assert((await page.locator('[data-cell="0"]').getAttribute("aria-label")).includes("notes 9"), "the keypad enters nothing");
  await page.keyboard.press("Escape");
  equal(await page.locator(".stage .board .selected").count(), 0);
});

test("play: undo has no end and is kept over a reload", async ({ page, open }) => {
  await open(`/play?p=${PUZZLE}`);
  await page.locator('[data-cell="0"]').click();
  for (let nth = 0; nth < 60; nth++) await page.keyboard.press(`Digit${(nth % 9) + 1}`);
  await page.reload();
  await page.locator('main[data-ready="play"]').waitFor();
  const first = (await board(page))[0];
  await page.keyboard.press("Control+z");
  assert((await board(page))[0] !== first, "nothing was undone after the reload");
  for (let nth = 0; nth < 59; nth++) await page.keyboard.press("Control+z");
  equal(await board(page), PUZZLE);
  await page.keyboard.press("Control+y");
  equal((await board(page))[0], "1");
  await page.reload();
  await page.locator('main[data-ready="play"]').waitFor();
  await page.keyboard.press("Control+y");
  equal((await board(page))[0], "2", "redo is kept too;");
});

test("play: a hint at each depth, causes drawn, then done", async ({ page, open }) => {
  await open(`/play?p=${HARD}`);
  const text = page.locator(".hint-text");
  await page.keyboard.press("h");
  await page.waitForFunction(() => /^Look for a/.test(document.querySelector(".hint-text")?.textContent ?? ""));
  const first = await text.textContent();
  equal(await page.locator(".stage .board .ring").count(), 0);
  await page.keyboard.press("h");
  await page.waitForFunction((first) => document.querySelector(".hint-text")?.textContent !== first, first);
  const second = await text.textContent();
  assert(second.length > first.length, "the second depth says no more");
  await page.keyboard.press("h");
  await page.waitForFunction((second) => document.querySelector(".hint-text")?.textContent !== second, second);
  assert(await page.locator(".stage .board .ring, .stage .board .stroke").count() > 0, "no cause is drawn");
  const before = await page.locator(".stage .board").innerHTML();
  await page.getByRole("button", { name: "Do it" }).click();
  assert((await page.locator(".stage .board").innerHTML()) !== before, "the step changed nothing");
});

test("play: a hint names a mistake first", async ({ page, open }) => {
  await open(`/play?p=${PUZZLE}`);
  await page.locator('[data-cell="0"]').click();
  await page.keyboard.press("Digit8");
  await page.getByRole("button", { name: "Show me" }).click();
  await page.getByText("r1c1 is not 8.").first().waitFor();
});

const rows = (text) => text.match(/.{9}/g);
const FORMATS = {
  "one line": PUZZLE,
  "zeros": PUZZLE.replaceAll(".", "0"),
  "nine lines": rows(PUZZLE).join("\n"),
  "boxed": rows(PUZZLE).map((row, nth) => row.match(/.../g).join("|") + (nth % 3 === 2 && nth < 8 ? "\n---+---+---" : "")).join("\n"),
  "SadMan": `[Puzzle]\n${rows(PUZZLE).join("\n")}\n`,
  "SimpleSudoku": `*-----------*\n${rows(PUZZLE).map((row, nth) => `|${row.match(/.../g).join("|")}|` + (nth % 3 === 2 && nth < 8 ? "\n|---+---+---|" : "")).join("\n")}\n*-----------*`,
  "CSV": `id,puzzle\n7,${PUZZLE}\n`,
  "JSON Lines": JSON.stringify({ puzzle: PUZZLE }),
  "commas": rows(PUZZLE).map((row) => [...row].map((cell) => (cell === "." ? "0" : cell)).join(",")).join("\n"),
};
for (const [name, text] of Object.entries(FORMATS)) {
  test(`play: a puzzle is pasted (${name})`, async ({ page, open }) => {
    await open("/play?p=.....4..1.2...1.");
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }, text);
    await page.locator(".found").getByText("✓ one solution").waitFor();
    await page.locator(".found").getByRole("link", { name: "Play" }).click();
    await page.waitForFunction((puzzle) => location.search.includes(puzzle), PUZZLE);
    await page.waitForFunction(() => document.querySelectorAll(".stage .board [role=gridcell]").length === 81);
    equal(await board(page), PUZZLE);
  });
}

test("play: what has none or many solutions is said at once", async ({ page, open }) => {
  await open("/play");
  await page.getByText("Another puzzle").click();
  const area = page.getByRole("textbox", { name: "Puzzles in any format" });
  await area.fill(".".repeat(81));
  await page.locator(".found").getByText("≠ many solutions (100 or more)").waitFor();
  await area.fill(`11${".".repeat(79)}`);
  await page.locator(".found").getByText("✗ no solution").waitFor();
  await area.fill("nonsense");
  await page.locator(".found").getByText(/line 1, column 1/).waitFor();
});

test("play: a dropped file is read, pencil marks and entries come along", async ({ page, open }) => {
  await open("/play");
  await page.evaluate((puzzle) => {
    const data = new DataTransfer();
    data.items.add(new File([puzzle], "puzzle.sdm"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, PUZZLE);
  await page.locator(".found").getByText("✓ one solution").waitFor();
});

test("play: the rating comes with its path, and a step of it is shown", async ({ page, open }) => {
  await open(`/play?p=${PUZZLE}`);
  await page.getByRole("button", { name: "Rate this puzzle" }).click();
  await page.locator(".scores").waitFor();
  await page.getByText(/The path: \d+ steps/).click();
  await page.locator(".path .step").nth(5).click();
  assert(await page.locator(".stage .board .ring").count() > 0, "the step is not drawn");
});

test("play: pause hides the digits, the time stands still", async ({ page, open }) => {
  await open(`/play?p=${PUZZLE}`);
  await page.keyboard.press("p");
  equal(await board(page), ".".repeat(81));
  await page.keyboard.press("Digit1");
  await page.keyboard.press("p");
  equal(await board(page), PUZZLE);
});

test("play: a link leads to the same position", async ({ page, open, url }) => {
  await open(`/play?p=${PUZZLE}`);
  await page.locator('[data-cell="0"]').click();
  await page.keyboard.press("Digit9");
  await page.getByRole("button", { name: "Share position" }).click();
  const link = await page.getByRole("link", { name: "this position" }).getAttribute("href");
  equal(await page.evaluate(() => navigator.clipboard.readText()), link);
  await page.evaluate(() => localStorage.clear());
  await open(link.replace(url, "").replace("http://localhost", ""). replace(/^:\d+/, ""));
  equal((await board(page))[0], "9");
});

test("play: a print sheet holds the puzzle alone", async ({ page, open }) => {
  await open(`/play?p=${PUZZLE}`);
  await page.evaluate(() => { window.print = () => { window.printed = document.querySelectorAll(".sheet .digit").length; }; });
  await page.getByRole("button", { name: "Print" }).click();
  equal(await page.evaluate(() => window.printed), [...PUZZLE].filter((cell) => cell !== ".").length);
  await page.emulateMedia({ media: "print" });
  assert(await page.locator(".sheet .board").isVisible(), "the sheet is not printed");
  assert(!(await page.locator("header").isVisible()), "the header would be printed");
});

test("play: boards of other sizes", async ({ page, open }) => {
  await open("/play?p=.....4..1.2...1.");
  equal(await page.locator('.keypad .digits [aria-label^="Enter"]').count(), 4);
  await open(`/play?p=${".".repeat(256)}`);
  await page.locator('[data-cell="0"]').click();
  await page.keyboard.press("c");
  equal((await page.locator('[data-cell="0"] .digit').textContent()), "C");
});

test("play: a key answers within a frame or two, the first view is small", async ({ page, open, context }) => {
  await open(`/play?p=${PUZZLE}`);
  await page.waitForLoadState("networkidle");
  const [bytes, drawn] = await page.evaluate(() => [
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((sum, each) => sum + each.encodedBodySize, 0),
    performance.getEntriesByName("first-contentful-paint")[0].startTime]);
  assert(bytes > 10_000 && bytes < 200_000, `the first view takes ${bytes} bytes`);
  console.log(`      first view: ${bytes} bytes, first paint after ${drawn.toFixed(0)} ms`);
  await page.locator('[data-cell="0"]').click();
  const worst = await page.evaluate(async () => {
    let worst = 0;
    for (const digit of "123456789") {
      const start = performance.now();
      document.querySelector(".stage .board").dispatchEvent(new KeyboardEvent("keydown", { key: digit, code: `Digit${digit}`, bubbles: true, cancelable: true }));
      worst = Math.max(worst, performance.now() - start);
      await new Promise(requestAnimationFrame);
    }
    return worst;
  });
  console.log(`      slowest key: ${worst.toFixed(1)} ms`);
});

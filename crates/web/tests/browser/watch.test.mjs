// Watch: each formulation to its end, by button, key, slider and link.
import { PUZZLE, SOLUTION, HARD as POSITION, assert, axe, equal, test, window_ } from "./harness.mjs";

/** The puzzle without what was played on it. */
const HARD = POSITION.slice(0, 81);

const KINDS = { htn: "htn", strips: "strips", "fc+cbj:mrv": "search", "ac3+cbj": "search", cdcl: "sat", "agents:4+1": "robots", people: "people", native: "answer" };

const address = (engine, puzzle = PUZZLE, more = {}) => `/watch?${new URLSearchParams({ p: puzzle, engine, ...more })}`;

/** Waits until the whole trace is there. */
async function loaded(page, engine) {
  await page.locator(`main[data-done="${engine}"]`).waitFor({ timeout: 90_000 });
}

/** The board as a line. */
function board(page) {
  return page.locator(".board [role=gridcell]").evaluateAll((cells) =>
    cells.map((cell) => cell.querySelector(".digit")?.textContent ?? ".").join(""));
}

for (const [engine, kind] of Object.entries(KINDS)) {
  test(`watch ${engine} to its end`, async ({ page, open }) => {
    await open(address(engine));
    await loaded(page, engine);
    assert(await page.locator(`.watch-pane.${kind}`).count() === 1, `a pane for ${kind}`);
    equal(await board(page), PUZZLE, "before the first event");
    await page.keyboard.press(".");
    await page.keyboard.press(".");
    equal(await page.locator(".counter").textContent().then((text) => text.split(" ")[0]), "2");
    await page.getByRole("button", { name: "To the end" }).click();
    equal(await board(page), SOLUTION, "at the end");
    assert((await page.locator(".sentence").textContent()).includes("solved"), "says that it is solved");
    await page.keyboard.press(",");
    await page.getByRole("button", { name: "To the beginning" }).click();
    equal(await board(page), PUZZLE, "back at the beginning");
  });
}

test("watch a moment by its link", async ({ page, open }) => {
  await open(address("htn", PUZZLE, { at: "40" }));
  await loaded(page, "htn");
  equal((await page.locator(".counter").textContent()).split(" ")[0], "40");
  const shown = await board(page);
  assert(shown !== PUZZLE && shown !== SOLUTION, "some digits are placed");
  await page.getByRole("slider", { name: "Position" }).fill("10");
  await page.waitForFunction(() => location.search.includes("at=10"));
});

test("watch plays, pauses and keeps its speed", async ({ page, open }) => {
  // Long enough not to end by itself.
  await open(address("agents:4+1"));
  await loaded(page, "agents:4+1");
  await page.getByRole("combobox", { name: "Speed" }).selectOption("100");
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => Number(document.querySelector(".counter").textContent.split(" ")[0]) > 10);
  await page.getByRole("button", { name: "Pause" }).click();
  const at = await page.locator(".counter").textContent();
  await page.waitForTimeout(300);
  equal(await page.locator(".counter").textContent(), at, "paused");
});

test("watch conflict sets, learnt clauses and messages", async ({ page, open }) => {
  await open(address("ac3+cbj", HARD));
  await loaded(page, "ac3+cbj");
  await page.getByRole("button", { name: "To the end" }).click();
  const numbers = await page.locator(".numbers").textContent();
  assert(/jumps\d/.test(numbers.replace(/,/g, "")), numbers);
  await open(address("cdcl", HARD));
  await loaded(page, "cdcl");
  await page.getByRole("button", { name: "To the end" }).click();
  assert(/learnt\d/.test(await page.locator(".numbers").textContent()), "learnt clauses are counted");
  await open(address("agents:4+1"));
  await loaded(page, "agents:4+1");
  await page.getByRole("button", { name: "To the end" }).click();
  assert(await page.locator(".row-line.message").count() > 0, "messages are drawn");
});

// Wrong ways used to be hatched as if they broke a rule.
test("watch tells a wrong digit from one that breaks a rule", async ({ page, open }) => {
  await open(address("agents:4+1", PUZZLE, { at: "480" }));
  await loaded(page, "agents:4+1");
  const wrong = page.locator(".stage .board .wrong");
  assert(await wrong.count() > 0, "no digit is wrong at this moment");
  equal(await page.locator(".stage .board .hatch").count(), 0, "nothing breaks a rule:");
  equal(await wrong.locator(".dots").count(), await wrong.count(), "each has dots besides its colour:");
  assert((await wrong.first().getAttribute("aria-label")).endsWith("not in the solution"), "its label does not say so");
  await page.getByText("dotted: not in the solution").waitFor();
});

test("watch ten thousand nodes and draw only what is visible", async ({ page, open }) => {
  await open(address("ac3+bt", HARD, { limit: "60000" }));
  await loaded(page, "ac3+bt");
  await page.getByRole("button", { name: "To the end" }).click();
  await page.locator(".row-line").first().waitFor();
  const nodes = await page.evaluate(() => {
    const dt = [...document.querySelectorAll(".numbers dt")].find((each) => each.textContent === "nodes");
    return Number(dt.nextElementSibling.textContent.replace(/,/g, ""));
  });
  assert(nodes > 10_000, `${nodes} nodes`);
  assert(await page.locator(".row-line").count() < 120, "only what is visible is drawn");
  // Scrolling through all of it: no frame takes longer than a tenth of a second.
  const slowest = await page.evaluate(async () => {
    const list = document.querySelector(".virtual");
    const times = [];
    for (let step = 0; step < 40; step++) {
      const before = performance.now();
      list.scrollTop = (list.scrollHeight / 40) * step;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      times.push(performance.now() - before);
    }
    return times.sort((a, b) => a - b)[Math.floor(times.length * 0.9)];
  });
  console.log(`      ${nodes} nodes; nine of ten scrolls within ${slowest.toFixed(0)} ms`);
  assert(slowest < 250, `${slowest} ms`);
});

test("watch says what is wrong with an address", async ({ page, open }) => {
  await open(address("no-such-engine"));
  await page.locator(".status.bad").waitFor();
  assert((await page.locator(".status").textContent()).includes("no-such-engine"), "names it");
});

for (const width of [360, 800, 1600]) {
  for (const theme of ["light", "dark"]) {
    test(`watch fits ${width} px, ${theme}, and axe finds nothing serious`, async ({ browser, url }) => {
      const view = await window_(browser, url, { width, height: width < 500 ? 740 : 900, theme });
      for (const engine of ["htn", "agents:4+1", "cdcl"]) {
        await view.open(address(engine, PUZZLE, { at: "30" }));
        await loaded(view.page, engine);
        const wide = await view.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert(wide <= 0, `${engine} scrolls sideways by ${wide} px`);
        const rows = await view.page.$$eval(".timeline button, .timeline select", (list) => new Set(list.map((each) => Math.round(each.getBoundingClientRect().top))).size);
        equal(rows, 1, `${engine}: buttons of the timeline in rows:`);
        const small = await view.page.locator(".timeline button, .chooser button, .chooser select").evaluateAll((all) =>
          all.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.textContent));
        equal(small, [], "targets smaller than 44 px");
        equal(await axe(view.page), [], `axe on ${engine}`);
      }
      equal(view.errors, []);
      await view.context.close();
    });
  }
}

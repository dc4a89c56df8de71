// Fingers on a narrow screen: taps, drawing across cells, the keypad.
import { PUZZLE, assert, equal, test, window_ } from "./harness.mjs";

test("touch: a finger selects, draws and enters at 360 px", async ({ browser, url }) => {
  const view = await window_(browser, url, { width: 360, height: 740, hasTouch: true, isMobile: true });
  const { page } = view;
  await view.open(`/play?p=${PUZZLE}`);
  const box = await page.locator(".stage .board").boundingBox();
  const middle = (cell) => ({ id: 0, x: box.x + (box.width * ((cell % 9) + 0.5)) / 9, y: box.y + (box.height * (Math.floor(cell / 9) + 0.5)) / 9 });
  const selected = () => page.$$eval(".stage .board .selected", (cells) => cells.map((cell) => Number(cell.dataset.cell)));
  const label = (cell) => page.locator(`[data-cell="${cell}"]`).getAttribute("aria-label");
  await page.evaluate(() => { window.kinds = []; addEventListener("pointerdown", (event) => window.kinds.push(event.pointerType)); });

  // A tap selects one cell, the keypad enters there.
  await page.touchscreen.tap(middle(0).x, middle(0).y);
  equal(await selected(), [0]);
  await page.getByRole("button", { name: "Enter 9" }).tap();
  equal(await label(0), "row 1 column 1, 9");
  await page.getByRole("button", { name: "Undo" }).tap();
  equal(await label(0), "row 1 column 1, empty");

  // A finger drawn across cells selects them; the page does not scroll.
  const cdp = await view.context.newCDPSession(page);
  const touch = (type, points) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [middle(0)]);
  for (const cell of [1, 10, 19]) {
    const to = middle(cell);
    await touch("touchMove", [to]);
  }
  await page.waitForFunction(() => document.querySelectorAll(".stage .board .selected").length === 4);
  equal(await selected(), [0, 1, 10, 19]);
  // A second finger changes nothing.
  await touch("touchStart", [middle(19), { ...middle(80), id: 1 }]);
  equal(await selected(), [0, 1, 10, 19]);
  await touch("touchEnd", []);
  equal(await page.evaluate(() => scrollY), 0, "the page scrolled;");
  await page.getByRole("button", { name: "Corner", exact: true }).tap();
  await page.getByRole("button", { name: "Enter 6" }).tap();
  for (const cell of [0, 1]) assert((await label(cell)).includes("corner notes 6"), await label(cell));
  // The next tap begins a new selection.
  await page.touchscreen.tap(middle(40).x, middle(40).y);
  equal(await selected(), [40]);
  assert((await page.evaluate(() => window.kinds)).every((kind) => kind === "touch"), "these were no fingers");
  equal(view.errors, []);
  await view.context.close();
});

test("touch: the timeline is moved by a finger at 360 px", async ({ browser, url }) => {
  const view = await window_(browser, url, { width: 360, height: 740, hasTouch: true, isMobile: true });
  await view.open(`/watch?${new URLSearchParams({ p: PUZZLE, engine: "people" })}`);
  await view.page.locator("main[data-done]").waitFor();
  await view.page.getByRole("button", { name: "One step on" }).tap();
  await view.page.getByRole("button", { name: "One step on" }).tap();
  assert((await view.page.locator(".counter").textContent()).startsWith("2 /"), "two taps are two steps");
  const slider = view.page.getByRole("slider", { name: "Position" });
  const box = await slider.boundingBox();
  await view.page.touchscreen.tap(box.x + box.width * 0.6, box.y + box.height / 2);
  assert(Number(await slider.inputValue()) > 5, "a tap on the slider goes there");
  const timeline = await view.page.locator(".timeline").boundingBox();
  assert(timeline.y + timeline.height <= 741, "the timeline is under the thumb");
  equal(view.errors, []);
  await view.context.close();
});

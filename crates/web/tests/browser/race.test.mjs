// Race: all engines at once, one cancelled, all cancelled.
import { PUZZLE, HARD as POSITION, assert, axe, equal, test, window_ } from "./harness.mjs";

/** The puzzle without what was played on it. */
const HARD = POSITION.slice(0, 81);

const address = (puzzle) => `/race?${new URLSearchParams({ p: puzzle })}`;

test("race all engines, cancel one, and see who won", async ({ page, open }) => {
  await open(address(HARD));
  await page.getByRole("button", { name: "Start the race" }).click();
  const lane = page.locator('.lane[data-engine="bt"]');
  await lane.waitFor();
  await lane.getByRole("button", { name: "Cancel bt" }).click();
  await lane.locator("text=cancelled").waitFor();
  await page.locator('.lane[data-engine="native"].solved').waitFor();
  await page.locator('.lanes[data-done="done"]').waitFor({ timeout: 90_000 });
  const all = await page.locator(".lane").count();
  assert(all > 30, `${all} lanes`);
  equal(await page.locator(".lane button").count(), 0, "nothing is left to cancel");
  assert(/solved it; .* first/.test(await page.locator(".status").textContent()), "a sentence on who won");
});

// Fast engines used to end where they were first looked at, milliseconds late.
test("race: a lane ends at its own time, on a logarithmic axis", async ({ page, open }) => {
  await open(address(PUZZLE));
  await page.getByRole("button", { name: "Start the race" }).click();
  await page.locator('.lane[data-engine="native"].solved').waitFor();
  await page.getByRole("button", { name: "Cancel all" }).click();
  await page.locator(".lanes[data-done]").waitFor({ timeout: 90_000 });
  const ends = await page.locator(".lane.solved").evaluateAll((lanes) => lanes.map((lane) => {
    const [, value, unit] = /([\d.]+) (µs|ms|s)/.exec(lane.querySelector(".figures").textContent);
    const us = Number(value) * { "µs": 1, ms: 1e3, s: 1e6 }[unit];
    // From ten microseconds to ten seconds: six powers of ten in a thousand units.
    const wanted = Math.min(1000, Math.max(0, ((Math.log10(us) - 1) / 6) * 1000));
    const steps = [...lane.querySelector(".curve").getAttribute("d").matchAll(/H([\d.]+)V([\d.]+)/g)];
    return { engine: lane.dataset.engine, wanted, found: Number(steps.at(-2)[1]) };
  }));
  assert(ends.length > 0, "nobody solved it");
  for (const { engine, wanted, found } of ends) assert(Math.abs(wanted - found) < 2, `${engine} ends at ${found}, not ${wanted}`);
});

test("race and cancel all of it", async ({ page, open }) => {
  await open(address(HARD));
  await page.getByRole("button", { name: "Start the race" }).click();
  await page.locator(".lane").first().waitFor();
  await page.getByRole("button", { name: "Cancel all" }).click();
  await page.locator('.lanes[data-done="cancelled"]').waitFor();
  // The server has let go of it too: another race may start.
  await page.waitForTimeout(1500);
  await page.getByRole("button", { name: "Race again" }).click();
  await page.locator('.lane[data-engine="native"].solved').waitFor();
});

for (const width of [360, 800, 1600]) {
  for (const theme of ["light", "dark"]) {
    test(`race fits ${width} px, ${theme}, and axe finds nothing serious`, async ({ browser, url }) => {
      const view = await window_(browser, url, { width, height: width < 500 ? 740 : 900, theme });
      await view.open(address(PUZZLE));
      // Another test's race may still be on its way out.
      await view.page.waitForTimeout(1000);
      await view.page.getByRole("button", { name: "Start the race" }).click();
      await view.page.locator('.lane[data-engine="native"].solved').waitFor();
      const wide = await view.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert(wide <= 0, `scrolls sideways by ${wide} px`);
      await view.page.getByRole("button", { name: "Cancel all" }).click();
      await view.page.locator(".lanes[data-done]").waitFor({ timeout: 90_000 });
      equal(await axe(view.page), []);
      equal(view.errors, []);
      await view.context.close();
    });
  }
}

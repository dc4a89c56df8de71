// The screenshots of the guide: every view; with --every, in light and dark and in
// three widths, to be looked at.
//
//   node shots.mjs [FOLDER [--every] [VIEW…]]      docs/guide/src/page/ by default
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { HARD, PUZZLE, browser, root, serve, window_ } from "./harness.mjs";

const folder = process.argv[2] ?? join(root, "docs/guide/src/page");
const every = process.argv.includes("--every");
mkdirSync(folder, { recursive: true });

/** What is done before the picture is taken. */
const VIEWS = {
  play: { path: `/play?p=${HARD}`, act: async (page) => {
    await page.getByRole("button", { name: "Show me" }).click();
    await page.locator(".board .ring, .board .stroke").first().waitFor();
  } },
  rating: { path: `/play?p=${PUZZLE}`, act: async (page) => {
    await page.locator('[data-cell="0"]').click();
    await page.keyboard.press("Digit9");
    await page.locator('[data-cell="1"]').click();
    await page.keyboard.press("Control+Digit4");
    await page.keyboard.press("Control+Digit8");
    await page.locator('[data-cell="9"]').click();
    await page.keyboard.press("Digit7");
    await page.getByRole("button", { name: "Rate this puzzle" }).click();
    await page.locator(".histogram").waitFor();
  } },
  watch: { path: `/watch?p=${PUZZLE}&engine=htn&at=61`, act: async (page) => { await page.locator("main[data-done]").waitFor({ timeout: 60_000 }); } },
  learning: { path: `/watch?p=${HARD.slice(0, 81)}&engine=cdcl`, act: async (page) => {
    await page.locator("main[data-done]").waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "To the end" }).click();
    await page.locator(".row-line.learn").last().click();
  } },
  jumps: { path: `/watch?p=${PUZZLE}&engine=fc%2Bcbj%3Amrv&at=60`, act: async (page) => { await page.locator("main[data-done]").waitFor({ timeout: 60_000 }); } },
  robots: { path: `/watch?p=${PUZZLE}&engine=agents%3A4%2B1&at=480`, act: async (page) => { await page.locator("main[data-done]").waitFor({ timeout: 60_000 }); } },
  race: { path: `/race?p=${HARD.slice(0, 81)}`, act: async (page) => {
    await page.getByRole("button", { name: "Start the race" }).click();
    await page.locator('.lane[data-engine="native"].solved').waitFor();
    await page.waitForTimeout(2500);
  } },
  model: { path: "/model?m=published", act: async (page) => { await page.locator(".problems li").first().waitFor(); } },
  plan: { path: "/model?m=order", act: async (page) => {
    await page.locator(".story-card summary").click();
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText(/steps, verified/).waitFor({ timeout: 60_000 });
    for (let nth = 0; nth < 7; nth++) await page.keyboard.press(".");
  } },
  papers: { path: "/papers", act: async (page) => { await page.waitForFunction(() => document.querySelector("main").dataset.papers === "4", null, { timeout: 150_000 }); await page.evaluate(() => document.querySelector("#csp").scrollIntoView()); } },
  compare: { path: "/compare", act: async (page) => { await page.locator("main[data-compared]").waitFor({ timeout: 60_000 }); await page.evaluate(() => document.querySelector(".charts").scrollIntoView()); } },
  api: { path: "/api", act: async (page) => {
    const hint = page.locator(".operation", { hasText: "/api/v1/hint" });
    await hint.locator("summary").click();
    await hint.getByRole("button", { name: "Try it" }).click();
    await hint.locator(".answer:visible").waitFor();
  } },
};

const server = await serve();
const chrome = await browser();
const words = process.argv.slice(3).filter((word) => !word.startsWith("--"));
for (const [name, { path, act }] of Object.entries(VIEWS)) {
  if (words.length > 0 && !words.includes(name)) continue;
  const sizes = every ? [[360, 780], [800, 900], [1600, 1000]] : [[1280, 860]];
  for (const theme of every ? ["light", "dark"] : ["light"]) {
    for (const [width, height] of sizes) {
      const { page, open, context } = await window_(chrome, server.url, { width, height, theme });
      await open(path);
      await act(page);
      await page.waitForTimeout(100);
      const file = every ? `${name}-${theme}-${width}.png` : `${name}-${theme}.png`;
      await page.screenshot({ path: join(folder, file) });
      console.log(file);
      await context.close();
    }
  }
}
await chrome.close();
server.stop();

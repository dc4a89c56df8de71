// The screenshots of the guide: every view, light and dark, as WebP, which takes
// a third of what PNG would. Into another folder as PNG, to be looked at, in the
// widths asked for. The static page's need PLANOKU_STATIC, as its tests do.
//
//   node shots.mjs [VIEW…]                             into docs/guide/src/page/
//   node shots.mjs --to FOLDER [--width 360]… [VIEW…]
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { files } from "./files.mjs";
import { HARD, PUZZLE, browser, ready, root, serve, window_ } from "./harness.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { to: { type: "string" }, width: { type: "string", multiple: true } } });
const folder = values.to ?? join(root, "docs/guide/src/page");
const widths = (values.width ?? ["1280"]).map(Number);
mkdirSync(folder, { recursive: true });

/** A trace that is there to its end. */
const whole = (page) => page.locator("main[data-done]").waitFor({ timeout: 60_000 });

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
  watch: { path: `/watch?p=${PUZZLE}&engine=htn&at=61`, act: whole },
  strips: { path: `/watch?p=${PUZZLE}&engine=strips&at=61`, act: whole },
  learning: { path: `/watch?p=${HARD.slice(0, 81)}&engine=cdcl`, act: async (page) => {
    await whole(page);
    await page.getByRole("button", { name: "To the end" }).click();
    await page.locator(".row-line.learn").last().click();
  } },
  jumps: { path: `/watch?p=${PUZZLE}&engine=fc%2Bcbj%3Amrv&at=60`, act: whole },
  robots: { path: `/watch?p=${PUZZLE}&engine=agents%3A4%2B1&at=480`, act: whole },
  people: { path: `/watch?p=${HARD.slice(0, 81)}&engine=people`, act: async (page) => {
    await whole(page);
    for (let nth = 0; nth < 75 && !/chain/i.test(await page.locator(".sentence").textContent()); nth++) await page.keyboard.press(".");
  } },
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
    await hint.evaluate((each) => each.scrollIntoView());
  } },
  static: { alone: true, path: `/watch?p=${PUZZLE}&engine=agents%3A4%2B1&at=480`, act: whole },
};

const server = await serve();
const alone = process.env.PLANOKU_STATIC && await files(process.env.PLANOKU_STATIC);
const chrome = await browser();
for (const [name, view] of Object.entries(VIEWS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  if (view.alone && !alone) {
    console.log(`${name}: left out, PLANOKU_STATIC names no folder`);
    continue;
  }
  for (const theme of ["light", "dark"]) for (const width of widths) await shoot(name, view, theme, width);
}
await chrome.close();
server.stop();
if (alone) alone.stop();

async function shoot(name, view, theme, width) {
  const height = width < 600 ? 780 : 860;
  const { url } = view.alone ? alone : server;
  const { page, context } = await window_(chrome, url, { width, height, theme });
  await page.goto(url + view.path);
  await ready(page, view.path);
  await view.act(page);
  await page.waitForTimeout(100);
  const stem = join(folder, values.width ? `${name}-${theme}-${width}` : `${name}-${theme}`);
  if (values.to) await page.screenshot({ path: `${stem}.png` });
  else {
    const session = await context.newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 76 });
    writeFileSync(`${stem}.webp`, Buffer.from(data, "base64"));
  }
  console.log(stem);
  await context.close();
}

// A tab that is hidden, a server that is gone, two tabs, reloads: nothing is lost, and it is said.
import { PUZZLE, assert, equal, serve, test, window_ } from "./harness.mjs";

/** Makes a tab hide and show itself. */
const hideable = (context) => context.addInitScript(() => {
  window.away = sessionStorage.away === "yes";
  Object.defineProperty(document, "hidden", { get: () => window.away });
  window.hide = (away) => { window.away = away; document.dispatchEvent(new Event("visibilitychange")); };
});
const watch = (engine, more = {}) => `/watch?${new URLSearchParams({ p: PUZZLE, engine, ...more })}`;
const position = async (page) => Number((await page.locator(".counter").textContent()).split(" /")[0]);

test("hidden: what plays is paused", async ({ page, open, context }) => {
  await hideable(context);
  await open(watch("fc:mrv"));
  await page.locator("main[data-done]").waitFor();
  await page.getByRole("combobox", { name: "Speed" }).selectOption("30");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => Number(document.querySelector(".counter").textContent.split(" /")[0]) > 3);
  await page.evaluate(() => window.hide(true));
  const before = await position(page);
  await page.waitForTimeout(700);
  equal(await position(page), before, "it plays on;");
  await page.evaluate(() => window.hide(false));
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction((before) => Number(document.querySelector(".counter").textContent.split(" /")[0]) > before, before);
});

test("hidden: a stream is not read until it can be seen", async ({ page, open, context }) => {
  await hideable(context);
  await open("/play");
  await page.evaluate(() => { sessionStorage.away = "yes"; });
  const asked = page.waitForRequest(/api\/v1\/watch\?/);
  await open(watch("htn"));
  await asked;
  await page.waitForTimeout(1500);
  equal(await page.locator(".stage.watch .board").count(), 0, "it is read;");
  await page.evaluate(() => window.hide(false));
  await page.locator("main[data-done]").waitFor();
});

test("hidden: a long stream is shown after a pause that is longer than the server waits", async ({ page, open, context }) => {
  await hideable(context);
  let streams = 0;
  page.on("request", (request) => { if (/api\/v1\/watch\?/.test(request.url())) streams++; });
  await open("/play");
  await page.evaluate(() => { sessionStorage.away = "yes"; });
  // After ten seconds the server no longer waits for a reader; if it has given up, it is asked again.
  await open(watch("bt", { limit: "100000" }));
  await page.waitForTimeout(15_000);
  equal(streams, 1);
  await page.evaluate(() => { sessionStorage.away = ""; window.hide(false); });
  await page.locator("main[data-done]").waitFor();
  console.log(`      asked ${streams} times`);
  assert(await page.locator(".status.bad").count() === 0, "an error is shown");
});

test("gone: leaving the view of a search ends it", async ({ browser }) => {
  const server = await serve();
  const view = await window_(browser, server.url);
  // Four searches without an end, each left at once; then there is room for another.
  for (let nth = 0; nth < 4; nth++) {
    await view.open(watch("bt", { p: ".".repeat(625) }));
    await view.page.getByText(/is searching/).waitFor();
    await view.page.getByRole("link", { name: "Play", exact: true }).click();
    await view.page.locator('main[data-ready="play"]').waitFor();
  }
  await view.open(watch("htn"));
  await view.page.locator("main[data-done]").waitFor();
  equal(view.errors, []);
  await view.context.close();
  server.stop();
});

test("gone: a server that ends is told, the game is kept, and all is well when it is back", async ({ browser }) => {
  let server = await serve();
  const port = Number(new URL(server.url).port);
  const view = await window_(browser, server.url);
  const { page } = view;
  await view.open(`/play?p=${PUZZLE}`);
  const ended = new Promise((done) => server.child.on("exit", done));
  server.child.removeAllListeners("exit");
  server.child.on("exit", () => {});
  server.stop();
  await Promise.race([ended, new Promise((done) => setTimeout(done, 3000))]);
  await page.locator('[data-cell="0"]').click();
  await page.keyboard.press("Digit9");
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  await page.locator(".hint-text").getByText(/The server does not answer/).waitFor();
  await page.getByRole("link", { name: "Watch", exact: true }).click();
  await page.getByRole("heading", { name: "This view could not be shown" }).waitFor();
  await page.getByText(/The server does not answer/).waitFor();
  server = await serve(port);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator('main[data-ready="watch"]').waitFor();
  await page.goBack();
  await page.locator('main[data-ready="play"]').waitFor();
  equal(await page.locator('[data-cell="0"] .digit').textContent(), "9");
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  await page.locator(".hint-text").getByText(/Look for/).waitFor();
  equal(view.errors.filter((each) => !/ERR_CONNECTION|Failed to fetch/.test(each)), []);
  await view.context.close();
  server.stop();
});

test("gone: a slow network says so instead of standing still", async ({ page, open, context }) => {
  await open(`/play?p=${PUZZLE}`);
  await context.route("**/api/v1/rate", async (route) => { await new Promise((done) => setTimeout(done, 1500)); await route.continue(); });
  await page.getByRole("button", { name: "Rate this puzzle" }).click();
  await page.locator(".rating").getByText("…").first().waitFor();
  await page.locator(".scores").waitFor();
});

test("tabs: two tabs on one puzzle do not eat each other's games", async ({ context, open, page, url }) => {
  await open(`/play?p=${PUZZLE}`);
  const other = await context.newPage();
  await other.goto(`${url}/play?p=${PUZZLE}`);
  await other.locator('main[data-ready="play"]').waitFor();
  await page.locator('[data-cell="0"]').click();
  await page.keyboard.press("Digit9");
  // The other tab follows.
  await other.locator('[data-cell="0"] .digit').waitFor();
  await other.locator('[data-cell="1"]').click();
  await other.keyboard.press("Digit4");
  await page.locator('[data-cell="1"] .digit').waitFor();
  await page.reload();
  await page.locator('main[data-ready="play"]').waitFor();
  equal(await page.$$eval(".stage .digit", (all) => all.slice(0, 2).map((each) => each.textContent)), ["9", "4"]);
});

test("tabs: a reload in the middle of things loses nothing", async ({ page, open }) => {
  await open(watch("htn", { at: "30" }));
  await page.reload();
  await page.locator("main[data-done]").waitFor();
  equal(await position(page), 30);
  await open("/race");
  await page.getByRole("button", { name: "Start the race" }).click();
  await page.locator(".lane").first().waitFor();
  await page.reload();
  await page.locator('main[data-ready="race"]').waitFor();
  await page.waitForTimeout(1500);
  await page.getByRole("button", { name: "Start the race" }).click();
  await page.locator('.lane[data-engine="native"].solved').waitFor();
});

test("garbage: five megabytes, binary, markup and addresses of nonsense are told apart from puzzles", async ({ page, open }) => {
  await open("/play");
  const paste = (text) => page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  }, text);
  await paste("<img src=x onerror=alert(1)>");
  await page.locator(".found .bad").first().waitFor();
  equal(await page.locator(".found img").count(), 0);
  await paste("\u0000\u0001\u0002 \ud83d\ude00".repeat(50));
  await page.locator(".found .bad").first().waitFor();
  await paste("123456789\n".repeat(500_000));
  await page.locator(".found").getByText(/too (large|long)|more than/).first().waitFor();
  for (const address of ["/play?p=abc", "/play?p=%00", `/play?p=${"1".repeat(5000)}`, "/play?p=11..............", "/watch?p=x&engine=htn", "/watch?at=-5", "/model?m=nothing", "/compare?p=zzz", "/race?p=q"]) {
    await open(address).catch((error) => { throw new Error(`${address}: ${error}`); });
  }
});

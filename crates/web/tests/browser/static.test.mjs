// The page without a server: static files from a folder of a server of files, WebAssembly in a worker.
// Run where PLANOKU_STATIC names the folder; `.ci/browser` builds it, or says that it cannot.
import { BELOW, files } from "./files.mjs";
import { HARD, PUZZLE, assert, axe, equal, test, window_ } from "./harness.mjs";

const folder = process.env.PLANOKU_STATIC;

/** A test with the static page in a window of its own. */
function alone(name, run) {
  test(`static: ${name}`, async ({ browser }) => {
    const server = await files(folder);
    const view = await window_(browser, server.url);
    view.page.setDefaultTimeout(60_000);
    const open = async (path) => {
      await view.page.goto(server.url + path);
      await view.page.locator(`main[data-ready="${path.split(/[/?]/)[1] || "play"}"]`).waitFor();
    };
    await run({ ...view, open, server });
    equal(view.errors, [], "the page complains:");
    equal(server.asked.filter((each) => /\/api\/v1|POST/.test(each)), [], "somebody was asked:");
    await view.context.close();
    server.stop();
  });
}

if (folder) {
  alone("play: puzzles are read, solved, hinted at, rated and made", async ({ page, open }) => {
    await open("/");
    equal(await page.locator("nav a").allTextContents(), ["Play", "Watch", "Model"]);
    await open(`/play?p=${HARD}`);
    await page.getByRole("button", { name: "Show me" }).click();
    await page.locator(".board .ring, .board .stroke").first().waitFor();
    await page.getByRole("button", { name: "Rate this puzzle" }).click();
    await page.locator(".scores").waitFor();
    await page.getByText("Another puzzle").click();
    const area = page.getByRole("textbox", { name: "Puzzles in any format" });
    await area.fill(`${PUZZLE}\n${".".repeat(81)}\n11${".".repeat(79)}\nnonsense`);
    for (const words of ["✓ one solution", "≠ many solutions", "✗ no solution", "line 4, column 1"]) await page.locator(".found").getByText(words).waitFor();
    await page.getByRole("button", { name: "Make one" }).click();
    await page.waitForFunction((old) => !location.search.includes(old), HARD.slice(0, 81));
    // Links and reloads stay in the folder.
    await page.reload();
    await page.locator('main[data-ready="play"]').waitFor();
    assert(page.url().includes(`${BELOW}/play`), page.url());
    equal(await axe(page), []);
  });

  alone("watch: every formulation to its end", async ({ page, open }) => {
    for (const engine of ["htn", "strips", "fc+cbj:mrv", "cdcl", "agents:4+1", "people", "native"]) {
      await open(`/watch?${new URLSearchParams({ p: PUZZLE, engine })}`);
      await page.locator(`main[data-done="${engine}"]`).waitFor();
      await page.getByRole("button", { name: "To the end" }).click();
      equal(await page.locator(".stage .board .digit").count(), 81, engine);
    }
  });

  alone("watch: leaving ends the worker", async ({ page, open }) => {
    await open(`/watch?${new URLSearchParams({ p: ".".repeat(625), engine: "bt" })}`);
    await page.getByText(/is searching/).waitFor();
    const before = page.workers().length;
    await page.getByRole("link", { name: "Play", exact: true }).click();
    await page.locator('main[data-ready="play"]').waitFor();
    for (let nth = 0; nth < 50 && page.workers().length >= before; nth++) await page.waitForTimeout(100);
    assert(page.workers().length < before, `${page.workers().length} workers are left of ${before}`);
  });

  alone("model: checked, mended, planned, grounded, verified", async ({ page, open }) => {
    await open("/model?m=published");
    await page.locator(".problems li.error").first().waitFor();
    for (let fixes = 0; fixes < 10 && await page.locator(".problems li.error").count() > 0; fixes++) {
      const before = Number(await page.locator("main").getAttribute("data-checked"));
      await page.locator(".problems .fix").first().click();
      await page.waitForFunction((before) => Number(document.querySelector("main").dataset.checked) > before, before);
    }
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText("✓ 46 steps, verified").waitFor();
    await page.getByRole("button", { name: "Ground" }).click();
    await page.getByText("Most instances").waitFor();
    await open("/model?m=gripper");
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText(/steps, verified/).waitFor();
    await page.getByRole("button", { name: "Copy the plan" }).click();
    const plan = await page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole("button", { name: "Verify a plan" }).click();
    await page.getByRole("textbox", { name: "A plan" }).fill(plan);
    await page.getByRole("button", { name: "Judge it" }).click();
    await page.getByText("✓ It is a plan").waitFor();
  });

  alone("a strict policy, and nothing from elsewhere", async ({ page, open, errors }) => {
    await open("/play");
    const policy = await page.locator("meta[http-equiv]").getAttribute("content");
    assert(policy.startsWith("default-src 'none'"), policy);
    assert(!policy.includes("'unsafe"), policy);
    const refused = await page.evaluate(() => new Promise((done) => {
      addEventListener("securitypolicyviolation", (event) => done(event.violatedDirective), { once: true });
      const script = document.createElement("script");
      script.textContent = "window.broken = true";
      document.head.append(script);
    }));
    assert(refused.startsWith("script-src"), refused);
    // The console says so too, and nothing else.
    assert(errors.splice(0).every((each) => /inline script violates/.test(each)), "other complaints");
  });
}

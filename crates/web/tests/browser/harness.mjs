// Starts the server and a browser, and runs what the test files register.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "../../../..");
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** What a puzzle of one solution looks like, and its solution. */
export const PUZZLE = "..7....2..1.7..5...35.....4..9.831...2.....9...316.4..5.....81...2..5.3..6....2..";
export const SOLUTION = "947538621216794583835612974459283167621457398783169452574326819192845736368971245";
/** A position, made by `planoku generate`, in which the next step is a forcing chain. */
export const HARD = "...21.4...5..9.6.83..6....1.....7....91........83....6....3......6.4..25..9...8..&e=967218453152493678384675291..3..7....915.4.....832...6..5.3......6.4..25..9.5.8..&m=..............................19.............................26..................26";

const tests = [];

/** @param {string} name  a fact, in words */
export function test(name, run) {
  tests.push({ name, run });
}

export function assert(truth, message) {
  if (!truth) throw new Error(message ?? "expected this to be true");
}

export function equal(found, expected, message = "") {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${message} found ${a}, expected ${b}`);
}

/** Starts `planoku serve`, on a free port if none is given. */
export async function serve(port = 0) {
  const program = process.env.PLANOKU ?? join(root, "target/debug/planoku");
  if (!existsSync(program)) throw new Error(`no ${program}: cargo build -p planoku-cli`);
  const child = spawn(program, ["serve", "--port", String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (text.includes("\n")) found(text.trim());
    });
    child.on("exit", (code) => failed(new Error(`the server ended with ${code}: ${text}`)));
  });
  return { url: String(url).replace(/\/$/, ""), stop: () => child.kill(), child };
}

export async function browser() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: FLAGS });
}

/** A window on a view. With LIVE set, files of the page come from disk. */
export async function window_(browser, url, { width = 1280, height = 900, theme = "light", ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: "reduce", ...more });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of (4\d\d|503)/.test(message.text())) errors.push(message.text());
  });
  if (process.env.LIVE) {
    const types = { js: "text/javascript", css: "text/css", svg: "image/svg+xml", html: "text/html" };
    await context.route("**/static/**", async (route) => {
      const path = join(here, "../../static", new URL(route.request().url()).pathname.replace("/static/", ""));
      if (!existsSync(path)) return route.fallback();
      await route.fulfill({ body: readFileSync(path), contentType: types[path.split(".").pop()] });
    });
    await context.route((address) => !/\/(static|api\/)/.test(address.pathname), (route) =>
      route.request().resourceType() === "document"
        ? route.fulfill({ body: readFileSync(join(here, "../../static/index.html")), contentType: "text/html" }) : route.fallback());
  }
  const open = async (path) => {
    await page.goto(url + path);
    await ready(page, path);
  };
  return { context, page, open, errors, url };
}

/** Waits until a view is there. */
export async function ready(page, path) {
  const view = new URL(path, "http://x").pathname.slice(1);
  await page.locator(`main[data-ready="${view}"]`).waitFor();
}

/** What axe finds that is serious or worse. */
export async function axe(page) {
  const source = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");
  await page.evaluate(source);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.filter((each) => ["serious", "critical"].includes(each.impact))
    .map((each) => `${each.id}: ${each.nodes.slice(0, 4).map((node) => `${node.target} (${node.failureSummary?.split("\n")[1]?.trim()})`).join("; ")}`);
}

/** Runs every test whose name holds one of the words. */
export async function runAll(words) {
  const server = await serve();
  const chrome = await browser();
  let failed = 0;
  const chosen = tests.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  for (const { name, run } of chosen) {
    const started = Date.now();
    const view = await window_(chrome, server.url);
    try {
      await Promise.race([
        run({ ...view, browser: chrome }),
        new Promise((_, stop) => setTimeout(() => stop(new Error("took more than three minutes")), 180_000).unref()),
      ]);
      if (view.errors.length > 0) throw new Error(`the page complains: ${view.errors.join("\n")}`);
      console.log(`ok    ${name} (${Date.now() - started} ms)`);
    } catch (error) {
      failed++;
      console.log(`FAIL  ${name}\n      ${String(error.stack ?? error).split("\n").slice(0, 8).join("\n      ")}`);
      for (const each of view.errors) console.log(`      page: ${each}`);
      if (process.env.FAILED) await view.page.screenshot({ path: join(process.env.FAILED, `${name.replace(/\W+/g, "-").slice(0, 60)}.png`) }).catch(() => {});
    }
    await view.context.close();
  }
  await chrome.close();
  server.stop();
  console.log(`${chosen.length - failed} of ${chosen.length} browser tests passed`);
  return failed === 0 && chosen.length > 0;
}

// Papers, compare and the API: charts first, tables folded, a form that works.
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PUZZLE, assert, axe, equal, root, test } from "./harness.mjs";

test("papers: claim and verdict, theirs against ours, tables folded", async ({ page, open }) => {
  await open("/papers");
  await page.waitForFunction(() => document.querySelector("main").dataset.papers === "4", null, { timeout: 150_000 });
  equal(await page.getByText("Claim.").count(), 4);
  assert(await page.locator("#csp .chart .mark").count() > 100, "the CSP paper has more than a hundred figures");
  equal(await page.locator(".paper details[open]").count(), 0, "a table is open;");
  await page.locator("#csp details summary").nth(1).click();
  assert(await page.locator("#csp td.good").count() > 50, "no verdicts");
  equal(await axe(page), []);
});

test("compare: engines are chosen, compared, drawn", async ({ page, open }) => {
  await open(`/compare?p=${PUZZLE}&engines=native+sat+bt`);
  await page.locator("main[data-compared]").waitFor();
  await page.getByText("✓ All engines agree").waitFor();
  equal(await page.locator(".charts .chart").count(), 2);
  await page.getByText("Which engines?").click();
  const before = await page.locator(".charts .line").count();
  await page.locator(".chooser").getByRole("checkbox", { name: "bt" }).uncheck();
  assert(await page.locator(".charts .line").count() < before, "an engine cannot be left out");
  await page.getByRole("combobox", { name: "Up" }).selectOption({ label: "bt" });
  await page.getByText("Made by Planoku").waitFor();
  equal(await page.locator(".puzzle-halves .digit").count(), 81);
});

test("compare: the single file is the same page and needs nothing else", async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), "planoku-"));
  const program = process.env.PLANOKU ?? join(root, "target/debug/planoku");
  execFileSync(program, ["compare", PUZZLE, "--engine", "native", "--engine", "sat", "--engine", "bt", "-o", join(folder, "c.html")], { stdio: "ignore" });
  execFileSync(program, ["reproduce", "csp", "--quick", "-o", join(folder, "r.html")], { stdio: "ignore" });
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith("file:")) errors.push(`asks for ${request.url()}`); });
  await page.goto(`file://${folder}/c.html`);
  await page.getByText("✓ All engines agree").waitFor();
  equal(await page.locator(".charts .chart").count(), 2);
  await page.goto(`file://${folder}/r.html`);
  await page.getByText("Claim.").waitFor();
  assert(await page.locator(".chart .mark").count() > 100, "no marks");
  equal(await axe(page), []);
  equal(errors, []);
  await context.close();
});

test("api: every operation is listed, and its example can be tried", async ({ page, open }) => {
  await open("/api");
  const many = await page.locator(".operation").count();
  assert(many >= 16, `${many} operations`);
  const solve = page.locator(".operation", { hasText: "/api/v1/solve" });
  await solve.locator("summary").click();
  await solve.getByRole("button", { name: "Try it" }).click();
  await solve.getByText('"verified": true').waitFor();
});

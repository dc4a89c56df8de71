// Model: the published model is mended by fixes until it plans.
import { assert, equal, test } from "./harness.mjs";

/** Does something, and waits until the texts have been checked again. */
async function checked(page, act) {
  const before = Number(await page.locator("main").getAttribute("data-checked"));
  await act();
  await page.waitForFunction((before) => Number(document.querySelector("main").dataset.checked) > before, before);
}

test("model: the published model is mended by quick fixes until it plans", async ({ page, open }) => {
  await open("/model?m=published");
  await page.locator(".problems li.error").first().waitFor();
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  await page.locator(".outcome .bad").waitFor();
  let fixes = 0;
  for (; fixes < 10; fixes++) {
    const errors = await page.locator(".problems li.error").count();
    const fix = page.locator(".problems .fix").first();
    if (errors === 0 || (await fix.count()) === 0) break;
    await checked(page, () => fix.click());
  }
  equal(await page.locator(".problems li.error").count(), 0, `errors after ${fixes} fixes:`);
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  await page.getByText("✓ 46 steps, verified").waitFor({ timeout: 60_000 });
  console.log(`      ${fixes} fixes`);
  // The timeline walks through the states.
  await page.getByRole("button", { name: "To the end" }).click();
  equal(await page.locator(".tree-row[aria-current]").count(), 1);
  await page.getByRole("button", { name: "One step back" }).click();
  assert((await page.locator(".changed").textContent()).startsWith("45. (FILL-CELL"), await page.locator(".changed").textContent());
  assert(await page.locator(".state .fact.fresh").count() > 0, "the step changes nothing");
});

test("model: fixes can be undone in the editor", async ({ page, open }) => {
  await open("/model?m=published");
  await page.locator(".problems .fix").first().waitFor();
  const text = () => page.getByRole("textbox", { name: "Problem" }).inputValue();
  await page.getByRole("tab", { name: "Problem" }).click();
  const before = await text();
  // Hundreds of lines are put in at once; the editor used to be drawn anew after each, for many seconds.
  await page.evaluate(() => {
    window.drawn = 0;
    new MutationObserver((changes) => { window.drawn += changes.length; }).observe(document.querySelector('.panel:not([data-shown="false"]) .paint'), { childList: true });
  });
  await checked(page, () => page.locator(".problems .fix").first().click());
  const after = await text();
  assert(await page.evaluate(() => window.drawn) < 20, `the editor was drawn ${await page.evaluate(() => window.drawn)} times`);
  assert(before !== after, "the fix changed nothing");
  await page.getByRole("textbox", { name: "Problem" }).press("Control+z");
  equal(await text(), before);
});

test("model: mistakes are shown as they are typed, at their place", async ({ page, open }) => {
  await open("/model?m=gripper");
  await page.getByText("no mistakes found").waitFor();
  const domain = page.getByRole("textbox", { name: "Domain" });
  const text = await domain.inputValue();
  await checked(page, () => domain.fill(text.replace(":action", ":acton")));
  const problem = page.locator(".problems li").first();
  await problem.waitFor();
  await problem.locator(".go").first().click();
  equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Domain");
  assert(await page.locator(".editor .number.error, .editor .number.warning").count() > 0, "nothing in the gutter");
});

test("model: a name is explained under the pointer", async ({ page, open }) => {
  await open("/model?m=gripper");
  const area = page.getByRole("textbox", { name: "Domain" });
  const at = (await area.inputValue()).split("\n").findIndex((line) => /\(:action/.test(line));
  const box = await area.boundingBox();
  await page.mouse.move(box.x + 8 + 7.83 * 13, box.y + 8 + 21 * at + 10);
  await page.locator(".tip:visible").waitFor();
  assert(/action/.test(await page.locator(".tip:visible").textContent()), "no declaration");
});

test("model: texts are laid out, grounded, and kept over a reload", async ({ page, open }) => {
  await open("/model?m=gripper");
  const domain = page.getByRole("textbox", { name: "Domain" });
  await checked(page, async () => domain.fill((await domain.inputValue()).replace(/\n\s+/g, "\n")));
  const untidy = await domain.inputValue();
  await checked(page, () => page.getByRole("button", { name: "Lay out" }).click());
  assert((await domain.inputValue()) !== untidy, "laying out changed nothing");
  // Each text goes to its own editor, whichever is in sight.
  equal((await domain.inputValue()).match(/\(define \(\w+/g), ["(define (domain"]);
  const problem = page.getByRole("textbox", { name: "Problem", includeHidden: true });
  equal((await problem.inputValue()).match(/\(define \(\w+/g), ["(define (problem"]);
  await page.getByRole("button", { name: "Ground" }).click();
  await page.getByText("Most instances").waitFor();
  const kept = await domain.inputValue();
  await page.goto((await page.url()).split("?")[0]);
  await page.locator('main[data-ready="model"]').waitFor();
  equal(await domain.inputValue(), kept);
});

test("model: a plan is judged", async ({ page, open }) => {
  await open("/model?m=gripper");
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  await page.getByText(/steps, verified/).waitFor();
  await page.getByRole("button", { name: "Copy the plan" }).click();
  const plan = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Verify a plan" }).click();
  const area = page.getByRole("textbox", { name: "A plan" });
  await area.fill(plan);
  await page.getByRole("button", { name: "Judge it" }).click();
  await page.getByText("✓ It is a plan").waitFor();
  await area.fill(plan.split("\n").slice(1).join("\n"));
  await page.getByRole("button", { name: "Judge it" }).click();
  await page.getByText("✗ Not a plan").waitFor();
});

test("model: every example is shown, and those without defects plan", async ({ page, open }) => {
  await open("/model");
  const names = await page.locator("select[aria-label=Example] option").evaluateAll((list) => list.map((each) => each.value).filter(Boolean));
  equal(names[0], "published");
  for (const name of names.slice(2)) {
    await checked(page, () => page.getByRole("combobox", { name: "Example" }).selectOption(name));
    equal(await page.locator(".problems li.error").count(), 0, name);
    await page.getByRole("button", { name: "Plan", exact: true }).click();
    await page.getByText(/steps, verified/).waitFor({ timeout: 60_000 });
  }
});

// Every view at every width, light and dark: nothing breaks, nothing is hidden from anybody.
import { assert, axe, browser, equal, ready, test, window_ } from "./harness.mjs";

export const WIDTHS = [360, 800, 1600];

const VIEWS = ["/play", "/watch", "/race", "/model", "/papers", "/compare", "/api"];

for (const path of VIEWS) {
  for (const theme of ["light", "dark"]) {
    test(`layout: ${path} in ${theme} at ${WIDTHS.join(", ")} px`, async ({ page, open, browser: chrome, url }) => {
      for (const width of WIDTHS) {
        const view = await window_(chrome, url, { width, theme });
        await view.open(path);
        // Papers are computed the first time, which takes its time on a busy machine.
        await view.page.waitForLoadState("networkidle", { timeout: 150_000 });
        const [inside, outside] = await view.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert(inside <= outside, `scrolls sideways at ${width} px: ${inside} > ${outside}`);
        const small = await view.page.$$eval("button, .button, nav a, select", (list) => list.filter((each) => {
          const box = each.getBoundingClientRect();
          return box.width > 0 && each.checkVisibility() && (box.height < 43.5 && !each.classList.contains("step") && !each.closest(".small-targets"));
        }).map((each) => each.outerHTML.slice(0, 80)));
        if (width === 360) equal(small, [], "too small to touch:");
        equal(await axe(view.page), [], `axe at ${width} px:`);
        equal(view.errors, [], "the page complains:");
        await view.context.close();
      }
    });
  }
}

test("layout: the theme can be chosen and is kept", async ({ page, open }) => {
  await open("/play");
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: /Theme/ }).click();
  await page.getByRole("button", { name: /Theme/ }).click();
  const dark = await ground();
  assert(light !== dark, "dark is as light");
  await page.reload();
  await ready(page, "/play");
  equal(await ground(), dark);
});

test("layout: all keys are shown by ?", async ({ page, open }) => {
  await open("/play");
  await page.keyboard.press("Shift+?");
  const dialog = page.getByRole("dialog", { name: "All keys" });
  await dialog.waitFor();
  for (const word of ["undo", "hint", "corner note", "clear the selection"]) assert((await dialog.textContent()).includes(word), `nothing on: ${word}`);
  equal(await axe(page), []);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

// A column used to be so narrow that its words were cut into letters.
test("layout: the fields of the API are readable at 360 px", async ({ browser: chrome, url }) => {
  const { page, open, context } = await window_(chrome, url, { width: 360 });
  await open("/api");
  await page.locator(".operation", { hasText: "/api/v1/hint" }).locator("summary").click();
  const narrow = await page.locator(".operation[open] td").evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width).filter((width) => width < 150));
  equal(narrow, [], "narrow cells:");
  await context.close();
});

test("layout: back and forward go through the views", async ({ page, open }) => {
  await open("/play");
  await page.getByRole("link", { name: "API" }).click();
  await ready(page, "/api");
  await page.goBack();
  await ready(page, "/play");
});

// @ts-check
/**
 * The shell: finds the view that belongs to the address, and swaps views.
 *
 * A view is one file in `views/` that exports `mount(root, context)`, and one
 * line in `views/index.js`. What it starts (listeners, requests, timers) it
 * ties to `context.signal`, which is aborted when the view is left.
 */
import { VIEWS } from "./views/index.js";
import { UNREACHABLE } from "./lib/api.js";
import { h, replace } from "./lib/dom.js";
import { bind, showKeys } from "./lib/keys.js";
import { go, onNavigate, to, viewAt } from "./lib/url.js";
import { startTheme } from "./lib/theme.js";

/**
 * @typedef {object} Context
 * @property {AbortSignal} signal  aborted when the view is left
 * @property {URLSearchParams} params  the query of the address
 */

const root = /** @type {HTMLElement} */ (document.getElementById("view"));
const nav = /** @type {HTMLElement} */ (document.getElementById("nav"));

/** @type {AbortController | undefined} */
let current;

for (const view of VIEWS) {
  nav.append(h("a", { href: to(view.path), "data-view": view.path }, view.label));
}

async function show() {
  const path = viewAt(location.pathname);
  const view = VIEWS.find((view) => view.path === path) ?? VIEWS[0];
  current?.abort();
  const leaving = new AbortController();
  current = leaving;
  document.title = `${view.label} · Planoku`;
  for (const link of nav.querySelectorAll("a")) {
    if (link.dataset.view === view.path) {
      link.setAttribute("aria-current", "page");
      // On a narrow screen the bar scrolls by itself.
      nav.scrollLeft = link.offsetLeft - nav.offsetLeft - 40;
    } else link.removeAttribute("aria-current");
  }
  try {
    const module = await view.load();
    if (leaving.signal.aborted) return;
    replace(root);
    root.dataset.view = view.path.slice(1);
    await module.mount(root, { signal: leaving.signal, params: new URLSearchParams(location.search) });
    root.dataset.ready = view.path.slice(1);
  } catch (error) {
    if (leaving.signal.aborted) return;
    replace(root, h("div", { class: "card", role: "alert" },
      h("h1", {}, "This view could not be shown"), h("p", {}, why(error)),
      h("button", { type: "button", class: "primary", onclick: () => void again() }, "Try again")));
    console.warn(error);
  }
}

/**
 * A browser may keep in mind that a module could not be fetched, for as long as the
 * document lives: so the document is loaded anew, once there is somebody to answer.
 */
async function again() {
  try {
    await fetch(location.href, { cache: "no-store" });
    location.reload();
  } catch {
    void show();
  }
}

/** @param {unknown} error */
function why(error) {
  // A file of the page that cannot be fetched.
  if (error instanceof TypeError && /module/.test(error.message)) return UNREACHABLE;
  return error instanceof Error ? error.message : String(error);
}

startTheme(/** @type {HTMLElement} */ (document.getElementById("theme")));
document.getElementById("help")?.addEventListener("click", showKeys);
bind(undefined, [
  { show: "?", what: "show all keys", match: (event) => event.key === "?", run: showKeys },
]);
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || link.target || link.hasAttribute("download")) return;
  const address = new URL(link.href, location.href);
  const path = address.origin === location.origin ? viewAt(address.pathname) : undefined;
  if (!VIEWS.some((view) => view.path === path)) return;
  event.preventDefault();
  go(path + address.search);
});
onNavigate(() => void show());
void show();

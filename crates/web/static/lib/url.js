// @ts-check
/** The state of a view is its address: a link leads to the same moment. */

/** Where the page lives: `/` on our server, any folder among static files. */
const BASE = new URL("../../", import.meta.url).pathname;

/**
 * The address of a view, wherever the page lives.
 * @param {string} path  such as `/play?p=…`
 */
export function to(path) {
  return BASE + path.slice(1);
}

/**
 * The path of the view at an address; `undefined` if it is not ours.
 * @param {string} pathname
 */
export function viewAt(pathname) {
  if (!pathname.startsWith(BASE)) return undefined;
  return `/${pathname.slice(BASE.length).replace(/\/(index\.html)?$/, "")}`;
}

/** @type {Set<() => void>} */
const listeners = new Set();
addEventListener("popstate", tell);

function tell() {
  for (const listener of listeners) listener();
}

/**
 * Calls back whenever another view or address is to be shown.
 * @param {() => void} listener
 */
export function onNavigate(listener) {
  listeners.add(listener);
}

/**
 * Goes to a view of this page.
 * @param {string} path  such as `/play?p=…`
 */
export function go(path) {
  history.pushState(null, "", to(path));
  tell();
}

/**
 * Notes state in the address without going anywhere; `null` removes a name.
 * @param {Record<string, string | number | null | undefined>} changes
 */
export function note(changes) {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") address.searchParams.delete(name);
    else address.searchParams.set(name, String(value));
  }
  if (address.href !== location.href) history.replaceState(null, "", address);
}

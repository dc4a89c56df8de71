// @ts-check
/** The state of a view is its address: a link leads to the same moment. */

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
 * Goes to an address of this page.
 * @param {string} address
 */
export function go(address) {
  history.pushState(null, "", address);
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

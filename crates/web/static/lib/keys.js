// @ts-check
/** Keys, and the sheet that shows all of them. */
import { h } from "./dom.js";

/**
 * @typedef {object} Key
 * @property {string} show  how it is written: `Ctrl+Z`
 * @property {string} what  what it does: `undo`
 * @property {(event: KeyboardEvent) => boolean} [match]
 * @property {(event: KeyboardEvent) => void} [run]
 */

/** @type {Key[]} */
let all = [];

/**
 * Adds keys until `signal` is aborted. A key without `match` is only shown.
 * While somebody types into a field, keys are left alone.
 * @param {AbortSignal | undefined} signal
 * @param {Key[]} keys
 */
export function bind(signal, keys) {
  all = [...all, ...keys];
  signal?.addEventListener("abort", () => (all = all.filter((key) => !keys.includes(key))));
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || isTyping(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  const key = all.find((key) => key.match?.(event));
  if (!key?.run) return;
  event.preventDefault();
  key.run(event);
});

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]");
}

/** Shows all keys that work here. */
export function showKeys() {
  const rows = all.map((key) => h("tr", {}, h("th", { scope: "row" }, ...keycaps(key.show)), h("td", {}, key.what)));
  const close = h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Close");
  const dialog = h("dialog", { class: "keys", "aria-label": "All keys", onclose: () => dialog.remove() },
    h("h2", {}, "Keys"), h("table", {}, h("tbody", {}, rows)), close);
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} text */
function keycaps(text) {
  return text.split(" ").map((word) => (/^(or|and|to)$/.test(word) ? ` ${word} ` : h("kbd", {}, word)));
}

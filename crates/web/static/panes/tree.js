// @ts-check
/** A row of a tree: a node, or what happened inside one. */
import { h } from "../lib/dom.js";

export const ROW = 28;
/** Levels that are indented; deeper ones stay where they are. */
const INDENTED = 14;

const SIGNS = { node: "", jump: "⤺", learn: "∨", note: "·", skip: "⋯", end: "■", message: "→" };

/**
 * @param {import("./rows.js").Row} row
 * @param {number} position  events behind us
 */
export function treeRow(row, position) {
  const closed = row.closed !== undefined && row.closed <= position;
  const state = row.kind !== "node" ? "" : !closed ? "is-open" : row.undone ? "is-failed" : "is-done";
  const sign = { "is-open": "▸", "is-failed": "✗", "is-done": "✓", "": SIGNS[row.kind] }[state];
  const now = row.n === position || row.closed === position ? "is-now" : "";
  const why = closed && row.why ? h("span", { class: "why" }, row.why) : null;
  const element = h("div", { class: `row-line ${row.kind} ${state} ${now}`, title: row.text },
    h("span", { class: "sign", "aria-hidden": "true" }, sign), h("span", { class: "label" }, row.text), why);
  element.style.paddingLeft = `${0.4 + Math.min(row.depth, INDENTED) * 0.9}rem`;
  if (state === "is-failed") element.append(h("span", { class: "unseen" }, ", taken back"));
  return element;
}

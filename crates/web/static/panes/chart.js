// @ts-check
/** A sequence chart: a line for each who talks, an arrow for each message. */
import { h, s } from "../lib/dom.js";

/**
 * Who talks, in the order of the columns.
 * @param {import("../lib/trace.js").TraceEvent[]} events
 */
export function talkers(events) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const { message } of events) if (message) names.add(message.from).add(message.to);
  const rank = (/** @type {string} */ name) => (name === "scheduler" ? -2 : name === "table" ? -1 : Number(name.replace(/\D/g, "")));
  return [...names].sort((a, b) => rank(a) - rank(b));
}

/** A name short enough for a column. @param {string} name */
export function short(name) {
  return name === "scheduler" ? "turn" : name.replace("robot ", "R");
}

/** The heads of the columns. @param {string[]} names */
export function heads(names) {
  return h("div", { class: "heads", "aria-hidden": "true" }, names.map((name) => h("span", {}, short(name))));
}

/**
 * @param {import("./rows.js").Row} row
 * @param {string[]} names
 * @param {number} position
 */
export function chartRow(row, names, position) {
  const now = row.n === position ? "is-now" : "";
  if (!row.message) {
    return h("div", { class: `row-line ${row.kind} ${now}`, title: row.text }, h("span", { class: "label" }, row.text));
  }
  const { from, to, kind, about = "" } = row.message;
  const x = (/** @type {string} */ name) => ((names.indexOf(name) + 0.5) / names.length) * 1000;
  const [start, end] = [x(from), x(to)];
  const way = Math.sign(end - start) || 1;
  const words = `${kind} ${about}`.trim();
  const lines = names.map((name) => s("path", { class: "life", d: `M${x(name)} 0V28` }));
  const arrow = s("svg", { class: "arrow-row", viewBox: "0 0 1000 28", preserveAspectRatio: "none", "aria-hidden": "true" }, lines,
    s("path", { class: "shaft", d: `M${start} 22H${end - way * 8}` }),
    s("path", { class: "tip", d: `M${end} 22l${-way * 14} -5v10z` }));
  const label = h("span", { class: "words", "aria-hidden": "true" }, words);
  const middle = ((start + end) / 2000) * 100;
  label.style.left = `clamp(3.5rem, ${middle}%, calc(100% - 3.5rem))`;
  return h("div", { class: `row-line message says-${kind} ${now}` }, arrow, label, h("span", { class: "unseen" }, `${from} to ${to}: ${words}`));
}

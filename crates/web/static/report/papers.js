// @ts-check
/**
 * The papers, checked: claim and verdict in a sentence each, theirs against
 * ours, tables folded. The same file draws the page of `planoku reproduce -o`
 * and the view `/papers`.
 */
import { h, prose, replace, s } from "../lib/dom.js";
import { mark, scatter, showCount, showTime } from "./charts.js";
import { madeBy } from "./made.js";

/**
 * @typedef {{cells: string[], verdict: string, tone: "good" | "bad" | "muted"}} Row
 * @typedef {{title: string, head: string[], rows: Row[], notes: string[]}} Table
 * @typedef {{name: string, citation: string, claim: string, verdict: string, summary: string[], tables: Table[]}} Chapter
 */

/**
 * @param {HTMLElement} root
 * @param {{made: any, chapters: Chapter[]}} data
 */
export function showPapers(root, data) {
  const rows = data.chapters.flatMap((chapter) => chapter.tables.flatMap((table) => table.rows));
  const count = (/** @type {string} */ tone) => rows.filter((row) => row.tone === tone).length;
  replace(root,
    h("section", { class: "card" }, h("h1", {}, "The papers' tables, with ours beside them"),
      h("p", {}, h("b", { class: "good" }, `${count("good")} rows reproduced`), ", ", h("b", { class: "bad" }, `${count("bad")} not reproduced`), `, ${count("muted")} ours alone, open or not comparable.`),
      h("nav", { class: "chapters", "aria-label": "Papers" }, h("ul", {}, data.chapters.map((chapter) => h("li", {}, h("a", { href: `#${chapter.name}` }, chapter.citation))))),
      h("p", { class: "muted" }, "Counts are exact and repeat on any machine; times are of the machine this was made on. ", madeBy(data.made))),
    data.chapters.map(one));
}

/** @param {Chapter} chapter */
export function one(chapter) {
  return h("section", { class: "card paper", id: chapter.name },
    h("h2", {}, chapter.citation),
    h("p", {}, h("b", {}, "Claim. "), chapter.claim),
    h("p", {}, h("b", {}, "Verdict. "), chapter.verdict),
    chapter.tables.flatMap(charts),
    h("details", {}, h("summary", {}, "More"), chapter.summary.map((text) => h("p", {}, prose(text)))),
    chapter.tables.map(folded));
}

/** Theirs against ours, for every pair of columns that has figures. @param {Table} table */
function charts(table) {
  const found = [];
  for (const [at, head] of table.head.entries()) {
    const what = /^(?:(.*), )?theirs$/.exec(head);
    if (!what) continue;
    const ours = table.head.findIndex((other) => other === (what[1] ? `${what[1]}, ours` : "ours"));
    if (ours < 0) continue;
    const kinds = [...new Set(table.rows.map((row) => row.cells[1]))];
    const points = table.rows.map((row) => ({ x: figure(row.cells[at]), y: figure(row.cells[ours]), series: kinds.length <= 8 ? kinds.indexOf(row.cells[1]) : 0,
      label: `${row.cells[0]} ${row.cells[1] ?? ""}: theirs ${row.cells[at]}, ours ${row.cells[ours]} (${row.verdict})` })).filter((point) => point.x > 0 && point.y > 0);
    if (points.length < 3) continue;
    const time = table.rows.some((row) => /\d (n|µ|m)?s$/.test(row.cells[at]));
    const name = what[1] ?? "figure";
    found.push(h("figure", {}, h("figcaption", {}, h("b", {}, `${table.title}: ${name}. `), time ? "Below the line we are faster." : "On the line both are equal."),
      scatter({ points, x: `${name}, theirs`, y: `${name}, ours`, diagonal: true, show: time ? showTime : showCount, label: `${name}: ours against theirs, ${points.length} marks` }),
      kinds.length > 1 && kinds.length <= 8 ? legend(kinds) : null));
  }
  return found;
}

/** @param {string[]} kinds */
function legend(kinds) {
  return h("ul", { class: "legend" }, kinds.map((kind, nth) => h("li", {}, s("svg", { viewBox: "-8 -8 16 16", width: 16, height: 16, "aria-hidden": "true" }, mark(0, 0, nth, "")), kind)));
}

/** @param {Table} table */
function folded(table) {
  const judged = table.rows.some((row) => row.verdict !== "ours");
  return h("details", {}, h("summary", {}, table.title),
    h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, table.head.map((head) => h("th", { scope: "col" }, head)), judged ? h("th", { scope: "col" }, "verdict") : null)),
      h("tbody", {}, table.rows.map((row) => h("tr", {}, row.cells.map((cell) => h("td", {}, cell)), judged ? h("td", { class: row.tone }, row.verdict) : null))))),
    table.notes.map((note) => h("p", { class: "muted" }, prose(note))));
}

/** A figure as tables write it: `12 µs`, `4.3M`, `37 %`, `1234`. @param {string} text */
export function figure(text) {
  const found = /^([\d.,]+) ?(ns|µs|ms|s|k|M|%)?$/.exec((text ?? "").trim());
  if (!found) return NaN;
  const scale = { ns: 1e-9, "µs": 1e-6, ms: 1e-3, s: 1, k: 1e3, M: 1e6, "%": 1 }[found[2] ?? "s"] ?? 1;
  return Number(found[1].replaceAll(",", "")) * scale;
}

// @ts-check
/** The list of what is wrong, each with its fix at a click. */
import { h, prose, replace } from "../../lib/dom.js";

/**
 * @param {{show: (place: any) => void, fix: (mending: any) => void}} actions
 */
export function problemsPane({ show, fix }) {
  const summary = h("p", { class: "summary", role: "status" });
  const list = h("ul", { class: "problems" });
  const element = h("section", { class: "card", "aria-label": "Problems" }, h("h2", {}, "What is wrong"), summary, list);
  const place = (/** @type {any} */ each) => `${each.file}:${each.line}:${each.column}`;

  /** @param {any} found */
  function one(found) {
    const sign = found.severity === "error" ? "✗" : found.severity === "warning" ? "!" : "·";
    const times = found.count > 1 ? ` (${found.count} times)` : "";
    return h("li", { class: found.severity, "data-code": found.code },
      h("div", { class: "head" }, h("b", { class: "sign", "aria-hidden": "true" }, sign),
        h("button", { type: "button", class: "quiet go", onclick: () => show(found.place) },
          h("span", { class: "unseen" }, `${found.severity}: `), prose(found.message), times, h("small", {}, `${place(found.place)} ${found.code}`))),
      h("div", { class: "row" }, found.fix ? h("button", { type: "button", class: found.fix.certain ? "primary fix" : "fix", onclick: () => fix(found.fix) },
        `${found.fix.certain ? "Fix" : "Try"}: `, prose(found.fix.message)) : null,
      h("details", {}, h("summary", {}, "Why"),
        found.label ? h("p", {}, prose(found.label)) : null,
        found.notes.map((/** @type {string} */ text) => h("p", {}, prose(text))),
        found.helps.map((/** @type {string} */ text) => h("p", {}, h("b", {}, "help: "), prose(text))),
        found.related.map((/** @type {any} */ each) => h("p", {}, h("button", { type: "button", class: "quiet go", onclick: () => show(each.place) }, `${place(each.place)}: ${each.message}`))),
        found.explanation ? h("pre", { class: "explanation" }, found.explanation) : null)));
  }

  return {
    element,
    /** @param {any} found */
    show(found) {
      const counts = [[found.errors, "error"], [found.warnings, "warning"], [found.hints, "hint"]].filter(([count]) => count > 0)
        .map(([count, word]) => `${count} ${word}${count === 1 ? "" : "s"}`);
      replace(summary, counts.length > 0 ? counts.join(", ") : "✓ no mistakes found");
      summary.className = `summary ${found.errors > 0 ? "bad" : "good"}`;
      const open = new Set([...list.querySelectorAll("details[open]")].map((each) => each.closest("li")?.dataset.code));
      replace(list, found.diagnostics.map(one));
      list.classList.toggle("long", found.diagnostics.length > 3);
      for (const each of list.querySelectorAll("li")) if (open.has(each.dataset.code)) each.querySelector("details")?.setAttribute("open", "");
    },
    /** @param {string} message */
    fail(message) {
      replace(summary, message);
      summary.className = "summary bad";
    },
  };
}

// @ts-check
/** Compare: the same puzzles through the engines you choose. */
import { get, isAbort, post } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { note } from "../lib/url.js";
import { recent } from "../lib/store.js";
import { showComparison } from "../report/compare.js";

const USUAL = ["native", "sat", "mac:domwdeg", "fc+cbj:mrv", "bt", "htn", "strips", "agents:4+1"];

/**
 * @param {HTMLElement} root
 * @param {import("../app.js").Context} context
 */
export async function mount(root, { signal, params }) {
  const [engines, examples] = await Promise.all([get("/engines", signal), get("/examples", signal)]);
  const wanted = params.get("engines")?.split(" ").filter(Boolean) ?? USUAL;
  const text = h("textarea", { rows: 5, "aria-label": "Puzzles", spellcheck: "false" });
  text.value = params.get("p") ?? [...new Set([recent()[0], ...examples.map((/** @type {any} */ each) => each.puzzle)].filter((each) => each?.length === 81))].slice(0, 4).join("\n");
  const boxes = engines.map((/** @type {any} */ engine) => h("label", { title: engine.summary }, h("input", { type: "checkbox", value: engine.name, checked: wanted.includes(engine.name) }), engine.name));
  const page = h("div", { class: "report" });
  const status = h("p", { role: "status", class: "muted" });
  const run = h("button", { type: "button", class: "primary", onclick: () => void compare() }, "Compare");
  const stop = h("button", { type: "button", hidden: true, onclick: () => asking?.abort() }, "Stop");
  /** @type {AbortController | undefined} */
  let asking;
  signal.addEventListener("abort", () => asking?.abort());

  async function compare() {
    const names = boxes.map((/** @type {HTMLLabelElement} */ box) => /** @type {HTMLInputElement} */ (box.firstChild)).filter((/** @type {HTMLInputElement} */ box) => box.checked)
      .map((/** @type {HTMLInputElement} */ box) => box.value);
    asking?.abort();
    asking = new AbortController();
    run.disabled = true;
    stop.hidden = false;
    replace(status, `Running ${names.length} engines…`);
    note({ engines: names.join(" "), p: text.value.length < 2000 ? text.value : null });
    try {
      const found = await post("/compare", { puzzles: text.value, engines: names }, asking.signal);
      showComparison(page, found);
      root.dataset.compared = String(Number(root.dataset.compared ?? 0) + 1);
      replace(status);
    } catch (error) {
      replace(status, isAbort(error) ? "Stopped." : String(error instanceof Error ? error.message : error));
    }
    run.disabled = false;
    stop.hidden = true;
  }

  replace(root, h("div", { class: "report" },
    h("section", { class: "card stack" }, h("h1", {}, "Compare"), h("p", {}, "The same puzzles through the engines you choose, in turns, each answer verified."), text,
      h("details", {}, h("summary", {}, `Engines (${engines.length})`), h("div", { class: "boxes" }, boxes)), h("div", { class: "row" }, run, stop, status))), page);
  void compare();
}

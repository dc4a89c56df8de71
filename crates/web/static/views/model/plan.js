// @ts-check
/** Plan, ground and verify at a click: the tree, the state after each step, or why there is no plan. */
import { isAbort, post } from "../../lib/api.js";
import { h, prose, replace, say } from "../../lib/dom.js";
import { List } from "../../lib/list.js";
import { Timeline } from "../../lib/timeline.js";

/**
 * @param {AbortSignal} signal
 * @param {() => {domain: string, problem: string}} texts
 */
export function planPane(signal, texts) {
  const out = h("div", { class: "outcome" });
  const run = h("button", { type: "button", class: "primary", onclick: () => void plan() }, "Plan");
  const stop = h("button", { type: "button", hidden: true, onclick: () => asking?.abort() }, "Stop");
  const ground = h("button", { type: "button", onclick: () => void count() }, "Ground");
  const judge = h("button", { type: "button", onclick: () => ask() }, "Verify a plan");
  const element = h("section", { class: "card planning", "aria-label": "Plan" }, h("div", { class: "row" }, run, stop, ground, judge), out);
  /** @type {AbortController | undefined} */
  let asking;
  signal.addEventListener("abort", () => asking?.abort());

  /**
   * @param {string} path
   * @param {object} more
   * @param {(found: any) => void} show
   */
  async function work(path, more, show) {
    asking?.abort();
    asking = new AbortController();
    stop.hidden = false;
    run.disabled = true;
    out.classList.remove("stale");
    replace(out, h("p", { class: "muted" }, "Working…"));
    try {
      show(await post(path, { ...texts(), ...more }, asking.signal));
    } catch (error) {
      replace(out, isAbort(error) ? h("p", { class: "muted" }, "Stopped.") : h("p", { class: "bad" }, String(error instanceof Error ? error.message : error)));
    }
    stop.hidden = true;
    run.disabled = false;
  }

  const plan = () => work("/plan", {}, (found) => {
    if (found.plan === null) {
      say("No plan");
      return replace(out, h("h3", { class: "bad" }, found.end === "exhausted" ? "There is no plan" : "No plan found"), h("div", { class: "why" }, reason(found.reason)));
    }
    say(`A plan with ${found.steps.length} steps`);
    replace(out, shown(found, signal));
  });

  const count = () => work("/ground", {}, (found) => replace(out,
    found.refuted ? h("p", { class: "bad" }, found.refuted)
      : h("dl", { class: "counts" }, ["facts", "actions", "tasks", "methods"].map((name) => h("div", {}, h("dt", {}, name), h("dd", {}, found[name].toLocaleString("en"))))),
    found.widest.length > 0 ? h("table", {}, h("caption", {}, "Most instances"), h("tbody", {}, found.widest.map((/** @type {any} */ each) =>
      h("tr", {}, h("th", { scope: "row" }, `${each.kind} ${each.name}`), h("td", { class: "number" }, each.instances.toLocaleString("en")))))) : null));

  function ask() {
    const area = h("textarea", { rows: 6, "aria-label": "A plan", placeholder: "(action argument …), one a line, or the IPC's format with ==> and <==", spellcheck: "false" });
    const verdict = h("p", { role: "status" });
    replace(out, area, h("div", { class: "row" }, h("button", { type: "button", class: "primary", onclick: async () => {
      try {
        const found = await post("/verify", { ...texts(), plan: area.value }, signal);
        replace(verdict, found.valid ? `✓ It is a plan: ${found.steps} steps, cost ${found.cost}${metric(found)}` : `✗ Not a plan (${found.rule}): ${found.reason}`);
        verdict.className = found.valid ? "good" : "bad";
      } catch (error) {
        replace(verdict, String(error instanceof Error ? error.message : error));
        verdict.className = "bad";
      }
    } }, "Judge it")), verdict);
    area.focus();
  }

  return {
    element,
    run: plan,
    clear() {
      asking?.abort();
      replace(out, h("p", { class: "muted" }, "Press Plan: a plan appears here with its decomposition and the state after each step, or the reason why there is none."));
    },
    stale() {
      out.classList.toggle("stale", out.querySelector(".plan") !== null);
    },
  };
}

/** A chain of reasons, one a line. @param {string} text */
function reason(text) {
  const parts = text.split("; ");
  return parts.length > 1 ? h("ol", {}, parts.map((part) => h("li", {}, prose(part)))) : prose(text);
}

/** What the plan is worth where that is not its cost. @param {any} found */
function metric(found) {
  return found.metric === null ? "" : `, metric ${found.metric}`;
}

/** @param {any} found @param {AbortSignal} signal */
function shown(found, signal) {
  const hierarchy = found.tree.some((/** @type {any} */ row) => row.method);
  const rows = hierarchy ? found.tree : found.steps.map((/** @type {string} */ label, /** @type {number} */ step) => ({ depth: 0, label, method: null, step }));
  const rowOf = new Map(rows.map((/** @type {any} */ row, /** @type {number} */ nth) => [row.step, nth]));
  const state = h("div", { class: "state", "aria-label": "State", tabindex: 0, role: "group" });
  const changed = h("p", { class: "changed" });
  const timeline = new Timeline({ signal, onMove: (position) => look(position), describe: (position) => position === 0 ? "before the first step" : found.steps[position - 1] });
  const list = new List({ label: hierarchy ? "Decomposition" : "Steps", rows: rows.length, height: 30, draw: (nth) => {
    const row = rows[nth];
    const mine = row.step !== null && row.step !== undefined;
    const line = h("button", { type: "button", class: `quiet tree-row ${mine ? "action" : "task"}`, onclick: mine ? () => timeline.move(row.step + 1) : undefined, tabindex: -1 },
      h("span", { class: "sign", "aria-hidden": "true" }, mine ? "▪ " : "▾"), mine ? h("b", {}, String(row.step + 1)) : null, ` ${row.label}`, row.method ? h("small", {}, ` ${row.method}`) : null);
    line.style.paddingLeft = `${0.25 + Math.min(row.depth, 24) * 0.9}rem`;
    if (mine && row.step + 1 === timeline.position) line.setAttribute("aria-current", "step");
    return line;
  } });
  /** @param {number} position */
  function look(position) {
    const holds = new Set();
    for (const turn of found.states.slice(0, position + 1)) {
      for (const fact of turn.removed) holds.delete(fact);
      for (const fact of turn.added) holds.add(fact);
    }
    const turn = found.states[position];
    replace(changed, position === 0 ? "Before the first step" : [h("b", {}, `${position}. ${found.steps[position - 1]}`)],
      position > 0 && turn ? [" ", ...turn.added.map((/** @type {string} */ fact) => h("span", { class: "added" }, `+ ${fact}`)), ...turn.removed.map((/** @type {string} */ fact) => h("span", { class: "removed" }, `− ${fact}`))] : null);
    const fresh = new Set(position > 0 ? turn?.added : []);
    const facts = [...holds].sort((a, b) => Number(fresh.has(b)) - Number(fresh.has(a)) || (a < b ? -1 : 1));
    replace(state, facts.slice(0, 400).map((fact) => h("span", { class: fresh.has(fact) ? "fact fresh" : "fact" }, fact)),
      facts.length > 400 ? h("span", { class: "muted" }, `… and ${facts.length - 400} more`) : null);
    list.reveal(Number(rowOf.get(position - 1) ?? 0));
    list.refresh();
  }
  timeline.setLength(found.steps.length);
  look(0);
  const copy = h("button", { type: "button", onclick: () => void navigator.clipboard.writeText(found.plan) }, "Copy the plan");
  return h("div", { class: "plan stack" },
    h("div", { class: "row found-plan" }, h("p", {}, h("b", { class: "good" }, `✓ ${found.steps.length} steps, verified`), `, cost ${found.cost}${metric(found)}, by ${found.planner} in ${(found.time_us / 1000).toFixed(0)} ms (${found.nodes.toLocaleString("en")} nodes)`), copy),
    found.cut ? h("p", { class: "muted" }, "Too much to show: the rest is left out.") : null,
    timeline.element, changed, h("div", { class: "plan-halves" }, h("div", {}, h("h3", {}, hierarchy ? "Decomposition" : "Steps"), list.element), h("div", {}, h("h3", {}, "State"), state)));
}

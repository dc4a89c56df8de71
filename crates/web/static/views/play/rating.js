// @ts-check
/** How hard the puzzle is, and the path that shows it. */
import { isAbort, post } from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { candidatesOf as candidates } from "../../lib/puzzle.js";
import { drawHint } from "./hint.js";

/**
 * @param {import("../play.js").Table} table
 * @param {AbortSignal} signal
 */
export function ratingPanel(table, signal) {
  const out = h("div", { class: "rating" });
  const button = h("button", { type: "button", onclick: () => void rate() }, "Rate this puzzle");

  async function rate() {
    button.disabled = true;
    replace(out, h("p", { class: "muted" }, "Rating…"));
    try {
      const found = await post("/rate", { puzzle: table.game.puzzle, path: true }, signal);
      replace(out, found.er === null ? h("p", { class: "bad" }, found.error) : shown(found));
    } catch (error) {
      if (isAbort(error)) return;
      replace(out, h("p", { class: "bad" }, String(error instanceof Error ? error.message : error)));
    }
    button.disabled = false;
  }

  /** @param {any} found */
  function shown(found) {
    const path = h("ol", { class: "path" }, found.path.map((/** @type {any} */ step, /** @type {number} */ nth) => h("li", {},
      h("button", { type: "button", class: "quiet step", title: "Show it on the board as it stands then", onclick: () => look(found.path, nth) },
        h("span", { class: "er" }, step.rating.toFixed(1)), " ", step.sentence))));
    // The hardest technique first.
    const hardness = new Map(found.path.map((/** @type {any} */ step) => [step.technique, step.rating]));
    const histogram = Object.entries(found.histogram).sort(([a], [b]) => (hardness.get(b) ?? 0) - (hardness.get(a) ?? 0));
    const most = Math.max(...histogram.map(([, count]) => Number(count)));
    const bars = h("dl", { class: "histogram" }, histogram.map(([name, count]) => {
      const bar = h("span", { class: "bar" });
      bar.style.width = `${(100 * Number(count)) / most}%`;
      return h("div", {}, h("dt", {}, name.replaceAll("-", " ")), h("dd", {}, bar, h("span", {}, String(count))));
    }));
    return [
      h("p", { class: "scores" }, score("ER", found.er, "hardest step"), score("EP", found.ep, "up to the first digit"), score("ED", found.ed, "first step"),
        h("span", { class: "muted" }, `hardest: ${found.hardest?.replaceAll("-", " ") ?? "none"}`)),
      bars,
      h("details", {}, h("summary", {}, `The path: ${found.steps} steps`), path),
    ];
  }

  /** Shows the position before a step, and the step. @param {any[]} path @param {number} nth */
  function look(path, nth) {
    const at = (/** @type {any} */ place) => (place.row - 1) * 9 + place.column - 1;
    /** @type {Map<number, {digit?: string, centre?: string}>} */
    const cells = new Map();
    const position = [...table.game.puzzle];
    for (const step of path.slice(0, nth)) {
      if (step.placement) position[at(step.placement)] = String(step.placement.digit);
    }
    const struck = path.slice(0, nth).flatMap((step) => step.eliminations);
    for (let cell = 0; cell < 81; cell++) if (!table.game.given(cell)) cells.set(cell, { digit: position[cell] === "." ? "" : position[cell], centre: "" });
    for (const place of struck) {
      const cell = at(place);
      if (position[cell] !== ".") continue;
      const old = cells.get(cell);
      const left = (old?.centre || candidates(position.join(""), cell)).replace(String(place.digit), "");
      cells.set(cell, { ...old, centre: left });
    }
    table.game.change([...cells].map(([cell, change]) => ({ cell, ...change })));
    table.changed();
    drawHint(table, { houses: path[nth].houses, step: path[nth] });
    table.board.element.scrollIntoView({ block: "nearest" });
  }

  return h("section", { class: "card", "aria-label": "Rating", hidden: table.game.side !== 9 }, button, out);
}

/** @param {string} name @param {number} value @param {string} what */
function score(name, value, what) {
  return h("span", { class: "score", title: what }, h("b", {}, value.toFixed(1)), ` ${name}`);
}


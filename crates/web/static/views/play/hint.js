// @ts-check
/** Hints in three depths, with their causes drawn on the board. */
import { isAbort, post } from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { bind } from "../../lib/keys.js";
import { candidatesOf } from "../../lib/puzzle.js";

/** @typedef {import("../play.js").Table} Table */

const LABELS = ["Hint", "Where?", "Show me"];

/**
 * @param {Table} table
 * @param {AbortSignal} signal
 */
export function hintPanel(table, signal) {
  const text = h("p", { class: "hint-text muted", role: "status" }, "Stuck? A hint names a technique first, then where to look, then everything.");
  const buttons = LABELS.map((label, nth) => h("button", { type: "button", onclick: () => void ask(nth + 1) }, label));
  const apply = h("button", { type: "button", class: "primary", hidden: true }, "Do it");
  let depth = 0;
  /** @type {AbortController | undefined} */
  let asking;

  /** @param {number} wanted */
  async function ask(wanted) {
    asking?.abort();
    asking = new AbortController();
    depth = wanted;
    const { game } = table;
    try {
      const found = await post("/hint", { puzzle: game.puzzle, position: game.position(), marks: game.marks(), depth: wanted }, asking.signal);
      replace(text, found.hint);
      text.className = `hint-text ${found.mistakes > 0 ? "bad" : ""}`;
      drawHint(table, found);
      apply.hidden = !found.step;
      apply.onclick = () => { applyStep(table, found.step); };
    } catch (error) {
      if (isAbort(error)) return;
      replace(text, String(error instanceof Error ? error.message : error));
      text.className = "hint-text bad";
    }
    for (const [nth, button] of buttons.entries()) button.setAttribute("aria-pressed", String(nth + 1 === depth));
  }

  table.listeners.add(() => {
    depth = 0;
    apply.hidden = true;
    for (const button of buttons) button.setAttribute("aria-pressed", "false");
  });
  signal.addEventListener("abort", () => asking?.abort());
  bind(signal, [{ show: "H", what: "hint; again for more of it", match: (e) => e.code === "KeyH" && !e.ctrlKey && !e.metaKey && !e.altKey && table.game.side === 9,
    run: () => void ask(Math.min(3, depth + 1)) }]);
  return h("section", { class: "card hint", "aria-label": "Hint", hidden: table.game.side !== 9 },
    h("div", { class: "row" }, buttons, apply), text);
}

/**
 * Draws what a hint says.
 * @param {Table} table
 * @param {any} found
 */
export function drawHint(table, found) {
  table.overlay.clear();
  const at = (/** @type {{row: number, column: number}} */ place) => (place.row - 1) * 9 + place.column - 1;
  const add = (/** @type {number} */ cell, /** @type {import("../../lib/board.js").CellView} */ more) => {
    const old = table.overlay.get(cell) ?? {};
    const join = (/** @type {"ringed" | "struck"} */ name) => (old[name] ?? "") + (more[name] ?? "");
    table.overlay.set(cell, { ...old, ...more, ringed: join("ringed"), struck: join("struck") });
  };
  for (const house of found.houses ?? []) for (const cell of cellsOf(house)) add(cell, { tint: true });
  for (const wrong of found.wrong ?? []) add(at(wrong), { conflict: true });
  const step = found.step;
  /** @type {import("../../lib/board.js").Arrow[]} */
  const arrows = [];
  if (step) {
    for (const { candidate } of step.causes) add(at(candidate), { candidates: "shown", ringed: String(candidate.digit) });
    for (const place of step.eliminations) add(at(place), { candidates: "shown", struck: String(place.digit) });
    for (const chain of step.chains ?? []) {
      if (chain.nested) continue;
      chain.nodes.forEach((/** @type {any} */ node) => {
        add(at(node.candidate), { candidates: "shown", ...(node.on ? { ringed: String(node.candidate.digit) } : {}) });
        for (const parent of node.parents) {
          const from = chain.nodes[parent].candidate;
          arrows.push({ from: at(from), fromDigit: String(from.digit), to: at(node.candidate), toDigit: String(node.candidate.digit), weak: !node.on });
        }
      });
    }
    if (step.placement) add(at(step.placement), { cause: true, candidates: "shown", ringed: String(step.placement.digit) });
  }
  // A candidate that is struck is not a cause as well; the others keep their places.
  const position = table.game.position();
  for (const [cell, view] of table.overlay) {
    if (!view.candidates) continue;
    const noted = table.game.entries[cell].centre;
    const known = new Set([...(noted || candidatesOf(position, cell)), ...(view.ringed ?? ""), ...(view.struck ?? "")]);
    view.candidates = [...known].sort().join("");
    view.ringed = [...(view.ringed ?? "")].filter((symbol) => !view.struck?.includes(symbol)).join("");
  }
  table.board.arrows(arrows.slice(0, 60));
  table.draw();
}

/**
 * Does what a step says: places its digit, or notes what is left.
 * @param {Table} table
 * @param {any} step
 */
function applyStep(table, step) {
  const at = (/** @type {any} */ place) => (place.row - 1) * 9 + place.column - 1;
  if (step.placement) {
    table.game.change([{ cell: at(step.placement), digit: String(step.placement.digit) }]);
    table.focus = at(step.placement);
  } else {
    // Struck candidates can only be remembered where the others are noted.
    const position = table.game.position();
    /** @type {Map<number, string>} */
    const notes = new Map();
    for (const place of step.eliminations) {
      const cell = at(place);
      const left = notes.get(cell) ?? (table.game.entries[cell].centre || candidatesOf(position, cell));
      notes.set(cell, left.replace(String(place.digit), ""));
    }
    table.game.change([...notes].map(([cell, centre]) => ({ cell, centre })));
  }
  table.changed();
}

/** The cells of `row 3`, `column 7`, `box 5`. @param {string} house */
function cellsOf(house) {
  const [kind, text] = house.split(" ");
  const nth = Number(text) - 1;
  return Array.from({ length: 9 }, (_, place) => kind === "row" ? nth * 9 + place : kind === "column" ? place * 9 + nth
    : (Math.floor(nth / 3) * 3 + Math.floor(place / 3)) * 9 + (nth % 3) * 3 + (place % 3));
}

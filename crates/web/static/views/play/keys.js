// @ts-check
/** The keys of play, as players expect them. */
import { bind } from "../../lib/keys.js";

/** @typedef {import("../play.js").Table} Table */
/** @typedef {import("../../lib/game.js").Mode} Mode */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
/** @type {[string, Mode, string][]} */
export const MODES = [["Z", "digit", "Digit"], ["X", "corner", "Corner"], ["C", "centre", "Centre"], ["V", "colour", "Colour"]];

/**
 * @param {Table} table
 * @param {AbortSignal} signal
 */
export function bindKeys(table, signal) {
  const plain = (/** @type {KeyboardEvent} */ event) => !event.ctrlKey && !event.metaKey && !event.altKey;
  const onBoard = () => {
    const { activeElement } = document;
    return activeElement === table.board.element || activeElement === document.body || activeElement?.id === "view";
  };
  bind(signal, [
    { show: "Arrows", what: "move; with Shift or Ctrl, select more", match: (e) => e.key in ARROWS && !e.code.startsWith("Numpad") && !e.altKey && !(e.target instanceof HTMLInputElement), run: (e) => move(table, e) },
    { show: "Ctrl+A", what: "select all", match: (e) => (e.ctrlKey || e.metaKey) && e.code === "KeyA", run: () => { for (let cell = 0; cell < table.game.puzzle.length; cell++) table.selection.add(cell); table.draw(); } },
    { show: "1 to 9", what: "enter, in the mode chosen", match: (e) => plain(e) && !e.shiftKey && symbol(e, table) !== "", run: (e) => table.enter(symbol(e, table)) },
    { show: "Shift+digit", what: "corner note", match: (e) => plain(e) && e.shiftKey && symbol(e, table) !== "", run: (e) => table.enter(symbol(e, table), "corner") },
    { show: "Ctrl+digit or Alt+digit", what: "centre note", match: (e) => (e.ctrlKey || e.altKey || e.metaKey) && digit(e) !== "", run: (e) => table.enter(digit(e), "centre") },
    { show: "0 or Backspace or Delete", what: "clear", match: (e) => plain(e) && ["Backspace", "Delete", "0"].includes(e.key), run: () => table.clear() },
    { show: "Ctrl+Z", what: "undo", match: (e) => (e.ctrlKey || e.metaKey) && !e.shiftKey && e.code === "KeyZ", run: () => table.undo() },
    { show: "Ctrl+Y", what: "redo", match: (e) => (e.ctrlKey || e.metaKey) && (e.code === "KeyY" || (e.shiftKey && e.code === "KeyZ")), run: () => table.redo() },
    ...MODES.map(([letter, mode, label]) => ({ show: letter, what: `mode: ${label.toLowerCase()}`,
      match: (/** @type {KeyboardEvent} */ e) => plain(e) && e.code === `Key${letter}` && table.game.side < 16, run: () => setMode(table, mode) })),
    { show: "Space", what: "next mode", match: (e) => e.key === " " && plain(e) && onBoard(), run: () => {
      const now = MODES.findIndex(([, mode]) => mode === table.mode);
      setMode(table, MODES[(now + 1) % MODES.length][1]);
    } },
    { show: "Esc", what: "clear the selection", match: (e) => e.key === "Escape", run: () => { table.selection.clear(); table.overlay.clear(); table.board.arrows([]); table.draw(); } },
  ]);
}

/** @param {Table} table @param {Mode} mode */
export function setMode(table, mode) {
  table.mode = mode;
  for (const listener of table.listeners) listener();
}

/** @param {Table} table @param {KeyboardEvent} event */
function move(table, event) {
  const { side } = table.game;
  const [down, right] = ARROWS[event.key];
  const row = (Math.floor(table.focus / side) + down + side) % side;
  const column = ((table.focus % side) + right + side) % side;
  const more = event.shiftKey || event.ctrlKey || event.metaKey;
  if (more) table.selection.add(table.focus);
  table.select(row * side + column, more);
}

/** The digit of a key, whatever Shift makes of it. @param {KeyboardEvent} event */
function digit(event) {
  const found = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
  return found ? found[1] : "";
}

/** The symbol a key enters on this board. @param {KeyboardEvent} event @param {Table} table */
function symbol(event, table) {
  const found = digit(event) || (table.game.side > 9 && /^[a-pA-P]$/.test(event.key) ? event.key.toUpperCase() : "");
  return table.game.symbols.includes(found) ? found : "";
}

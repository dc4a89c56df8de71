// @ts-check
/**
 * Play: a puzzle, a keypad, and help when stuck.
 *
 * The table holds what is played (`Game`), what is selected and what a hint
 * shows; panels in `play/` change it and call `table.changed()`.
 */
import { get, post } from "../lib/api.js";
import { Board } from "../lib/board.js";
import { h, replace, say } from "../lib/dom.js";
import { candidatesOf, isPuzzle, symbolAt } from "../lib/puzzle.js";
import { follow, keep, recall, recent } from "../lib/store.js";
import { note, to } from "../lib/url.js";
import { bindKeys } from "./play/keys.js";
import { hintPanel } from "./play/hint.js";
import { importPanel } from "./play/import.js";
import { keypad } from "./play/keypad.js";
import { morePanel } from "./play/more.js";
import { ratingPanel } from "./play/rating.js";

/** @typedef {import("../lib/game.js").Game} Game */
/** @typedef {import("../lib/game.js").Mode} Mode */

/** What the panels share. */
export class Table {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.board = new Board(game.side, { interactive: true, label: "Sudoku board; arrows move, digits enter" });
    /** @type {Set<number>} */
    this.selection = new Set();
    this.focus = Math.max(0, game.position().indexOf("."));
    /** @type {Mode} */
    this.mode = "digit";
    this.candidates = false;
    this.paused = false;
    /** What a hint shows in each cell. @type {Map<number, import("../lib/board.js").CellView>} */
    this.overlay = new Map();
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /** The cells an entry goes to. */
  targets() {
    return this.selection.size > 0 ? this.selection : new Set([this.focus]);
  }

  /**
   * Selects a cell alone, or one more.
   * @param {number} cell
   * @param {boolean} [more]
   */
  select(cell, more = false) {
    if (!more) this.selection.clear();
    this.selection.add(cell);
    this.focus = cell;
    this.draw();
  }

  /** @param {string} symbol @param {Mode} [mode] */
  enter(symbol, mode = this.mode) {
    if (this.paused) return;
    this.game.enter(this.targets(), symbol, mode);
    this.changed();
  }

  clear() {
    if (this.paused) return;
    this.game.clear(this.targets());
    this.changed();
  }

  undo() {
    if (this.game.undo()) this.changed();
  }

  redo() {
    if (this.game.redo()) this.changed();
  }

  /** After any change of the game: drawn, kept, told. */
  changed() {
    keep(this.game);
    this.shown();
  }

  /** Shows the game as it is now, without what a hint has drawn. */
  shown() {
    this.overlay.clear();
    this.board.arrows([]);
    this.draw();
    for (const listener of this.listeners) listener();
  }

  draw() {
    const { game } = this;
    const position = game.position();
    const conflicts = game.conflicts();
    const looked = this.selection.size === 1 ? game.digit(this.focus) : "";
    this.board.show(Array.from(position, (_, cell) => {
      const entry = game.entries[cell];
      const digit = game.digit(cell);
      /** @type {import("../lib/board.js").CellView} */
      const view = { digit, given: Boolean(game.given(cell)), colours: entry.colours, conflict: conflicts.has(cell),
        selected: this.selection.has(cell), focus: cell === this.focus, same: looked !== "" && digit === looked && cell !== this.focus };
      if (this.paused) return { selected: view.selected, focus: view.focus };
      const shown = this.overlay.get(cell);
      if (!digit) {
        // Where candidates are drawn, each at its place, other notes give way.
        if (shown?.candidates || this.candidates) view.candidates = entry.centre || candidatesOf(position, cell);
        else Object.assign(view, { centre: entry.centre, corner: entry.corner });
      }
      return { ...view, ...shown };
    }));
  }
}

/**
 * @param {HTMLElement} root
 * @param {import("../app.js").Context} context
 */
export async function mount(root, { signal, params }) {
  const wanted = params.get("p");
  if (wanted && !isPuzzle(wanted)) {
    replace(root, await nothingIn(wanted, signal));
    return;
  }
  const first = !params.get("p") && recent().length === 0;
  const puzzle = params.get("p") || recent()[0] || (await get("/examples", signal))[0].puzzle;
  const table = new Table(recall(puzzle));
  adopt(table.game, params);
  note({ p: puzzle, e: null, m: null });
  table.board.onPointer((cell, phase, event) => {
    const more = event.ctrlKey || event.metaKey || event.shiftKey || phase === "over";
    table.select(cell, more);
  });
  const done = h("p", { class: "done good", role: "status", hidden: true }, "✓ Solved.");
  const tell = () => {
    const solved = table.game.isFull() && table.game.conflicts().size === 0;
    done.hidden = !solved;
    if (solved) say("Solved.");
  };
  table.listeners.add(tell);
  const stage = h("div", { class: "stage play" },
    h("div", { class: "board-side" }, table.board.element, done),
    h("div", { class: "pane" }, first ? welcome(puzzle) : null, keypad(table), hintPanel(table, signal), morePanel(table, signal),
      ratingPanel(table, signal), importPanel(signal)));
  replace(root, h("h1", { class: "unseen" }, "Play"), stage);
  bindKeys(table, signal);
  follow(table.game, () => table.shown(), signal);
  table.draw();
  tell();
  table.board.element.focus({ preventScroll: true });
}

/**
 * Takes over the digits and notes that an address brings along.
 * @param {Game} game
 * @param {URLSearchParams} params
 */
function adopt(game, params) {
  const [position, marks] = [params.get("e") ?? "", params.get("m")?.split(".") ?? []];
  const changes = [];
  for (let cell = 0; cell < game.puzzle.length; cell++) {
    const digit = position.length === game.puzzle.length ? symbolAt(position, cell) : "";
    const centre = [...(marks[cell] ?? "")].filter((symbol) => game.symbols.includes(symbol)).join("");
    if (digit || centre) changes.push({ cell, ...(digit ? { digit } : {}), ...(centre ? { centre } : {}) });
  }
  game.change(changes);
}

/**
 * What is said of an address without a plain board: what it holds instead.
 * @param {string} text
 * @param {AbortSignal} signal
 */
async function nothingIn(text, signal) {
  const found = await post("/read", { text: text.slice(0, 10_000) }, signal);
  const puzzle = found.puzzles[0]?.puzzle;
  const why = found.mistakes[0] ? `column ${found.mistakes[0].column}: ${found.mistakes[0].message}` : "nothing was found";
  return h("section", { class: "card", role: "alert" }, h("h1", {}, puzzle ? "The address holds a puzzle in other words" : "There is no puzzle in this address"),
    puzzle ? null : h("p", {}, why), h("p", {}, h("a", { class: "button", href: to(puzzle ? `/play?p=${puzzle}` : "/play") }, puzzle ? "Play it" : "Play another one")));
}

/** The first visit is told what can be done. @param {string} puzzle */
function welcome(puzzle) {
  return h("section", { class: "card welcome" }, h("h2", {}, "Fill in the digits."),
    h("p", {}, "Every row, column and box holds each digit once. Type them, ask for a hint, or ",
      h("a", { href: to(`/watch?p=${puzzle}`) }, "watch a planner solve it"), "."));
}

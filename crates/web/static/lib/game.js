// @ts-check
/**
 * A puzzle being played: entries, notes and colours, every change undoable.
 *
 * No drawing here, and no time: a game is its puzzle and the list of changes,
 * so it is kept over reloads by keeping that list.
 */
import { repeats, sideOf, symbolAt, symbols } from "./puzzle.js";

/**
 * @typedef {object} Entry  what a player has put into a cell
 * @property {string} digit
 * @property {string} centre
 * @property {string} corner
 * @property {number[]} colours
 *
 * @typedef {[cell: number, before: Entry, after: Entry]} Change
 * @typedef {"digit" | "corner" | "centre" | "colour"} Mode
 */

/** @type {Entry} */
const NOTHING = Object.freeze({ digit: "", centre: "", corner: "", colours: [] });

export class Game {
  /** @param {string} puzzle  its cells, row by row */
  constructor(puzzle) {
    this.puzzle = puzzle;
    this.side = sideOf(puzzle);
    this.symbols = symbols(this.side);
    /** @type {Entry[]} */
    this.entries = Array.from(puzzle, () => NOTHING);
    /** @type {Change[][]} */
    this.past = [];
    /** @type {Change[][]} */
    this.future = [];
    this.seconds = 0;
  }

  /** @param {number} cell */
  given(cell) {
    return symbolAt(this.puzzle, cell);
  }

  /** @param {number} cell */
  digit(cell) {
    return this.given(cell) || this.entries[cell].digit;
  }

  /** All digits on the board, row by row. */
  position() {
    return Array.from(this.puzzle, (_, cell) => this.digit(cell) || ".").join("");
  }

  /** The notes of each cell, or nothing where a cell has none. */
  marks() {
    return this.entries.map((entry, cell) => (this.digit(cell) ? "" : entry.centre));
  }

  /** Cells that repeat a digit of a house. */
  conflicts() {
    return repeats(this.position());
  }

  isFull() {
    return !this.position().includes(".");
  }

  /**
   * Enters a symbol into cells: as players expect, what all cells have already
   * is taken away again.
   * @param {Iterable<number>} cells
   * @param {string} symbol
   * @param {Mode} mode
   */
  enter(cells, symbol, mode) {
    const open = [...cells].filter((cell) => mode === "colour" || !this.given(cell));
    const target = mode === "digit" || mode === "colour" ? open : open.filter((cell) => !this.entries[cell].digit);
    const has = (/** @type {Entry} */ entry) => mode === "colour" ? entry.colours.includes(Number(symbol))
      : mode === "digit" ? entry.digit === symbol : entry[mode].includes(symbol);
    const remove = target.length > 0 && target.every((cell) => has(this.entries[cell]));
    this.#apply(target.map((cell) => [cell, this.entries[cell], with_(this.entries[cell], symbol, mode, !remove)]));
  }

  /**
   * Empties cells: digits first, then notes, then colours.
   * @param {Iterable<number>} cells
   */
  clear(cells) {
    const list = [...cells];
    const some = (/** @type {(entry: Entry) => boolean} */ test) => list.some((cell) => test(this.entries[cell]));
    const clean = some((entry) => entry.digit !== "") ? (/** @type {Entry} */ entry) => ({ ...entry, digit: "" })
      : some((entry) => entry.centre + entry.corner !== "") ? (/** @type {Entry} */ entry) => ({ ...entry, centre: "", corner: "" })
      : (/** @type {Entry} */ entry) => ({ ...entry, colours: [] });
    this.#apply(list.map((cell) => [cell, this.entries[cell], clean(this.entries[cell])]));
  }

  /**
   * Several changes as one: digits placed, notes set.
   * @param {{cell: number, digit?: string, centre?: string}[]} changes
   */
  change(changes) {
    this.#apply(changes.filter(({ cell }) => !this.given(cell)).map(({ cell, ...rest }) => {
      const before = this.entries[cell];
      return [cell, before, { ...before, ...rest }];
    }));
  }

  /** Everything back to the givens; can be undone. */
  restart() {
    this.#apply(this.entries.map((entry, cell) => [cell, entry, NOTHING]));
  }

  /** Becomes another game of the same puzzle. @param {Game} other */
  become(other) {
    this.entries = other.entries;
    this.past = other.past;
    this.future = other.future;
    this.seconds = Math.max(this.seconds, other.seconds);
  }

  undo() {
    const step = this.past.pop();
    if (!step) return false;
    for (const [cell, before] of step) this.entries[cell] = before;
    this.future.push(step);
    return true;
  }

  redo() {
    const step = this.future.pop();
    if (!step) return false;
    for (const [cell, , after] of step) this.entries[cell] = after;
    this.past.push(step);
    return true;
  }

  /** @param {Change[]} changes */
  #apply(changes) {
    const real = changes.filter(([, before, after]) => JSON.stringify(before) !== JSON.stringify(after));
    if (real.length === 0) return;
    for (const [cell, , after] of real) this.entries[cell] = after;
    this.past.push(real);
    this.future = [];
  }

  /** To be kept: cells and entries as short lists. */
  pack() {
    const short = (/** @type {Entry} */ entry) => [entry.digit, entry.centre, entry.corner, entry.colours];
    const steps = (/** @type {Change[][]} */ list) => list.map((step) => step.map(([cell, before, after]) => [cell, short(before), short(after)]));
    return { puzzle: this.puzzle, past: steps(this.past), future: steps(this.future), seconds: Math.round(this.seconds) };
  }

  /**
   * The game that was packed.
   * @param {any} packed
   */
  static unpack(packed) {
    const game = new Game(packed.puzzle);
    /** @param {any} part @returns {Entry} */
    const long = ([digit, centre, corner, colours]) => ({ digit, centre, corner, colours });
    /** @param {any[]} list @returns {Change[][]} */
    const steps = (list) => list.map((step) => step.map((/** @type {any} */ change) => [change[0], long(change[1]), long(change[2])]));
    game.past = steps(packed.past);
    game.future = steps(packed.future);
    game.seconds = packed.seconds ?? 0;
    for (const step of game.past) for (const [cell, , after] of step) game.entries[cell] = after;
    return game;
  }
}

/**
 * @param {Entry} entry
 * @param {string} symbol
 * @param {Mode} mode
 * @param {boolean} on
 * @returns {Entry}
 */
function with_(entry, symbol, mode, on) {
  if (mode === "digit") return { ...entry, digit: on ? symbol : "" };
  if (mode === "colour") {
    const others = entry.colours.filter((colour) => colour !== Number(symbol));
    return { ...entry, colours: on ? [...others, Number(symbol)].sort() : others };
  }
  const others = [...entry[mode]].filter((other) => other !== symbol);
  return { ...entry, [mode]: (on ? [...others, symbol].sort() : others).join("") };
}

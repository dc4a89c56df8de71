// @ts-check
/**
 * A trace: events with running numbers, and the board after any of them.
 *
 * One interpreter serves every engine: an event places a digit, strikes
 * candidates, or undoes earlier events by their numbers. Going back undoes
 * exactly what going forward did, so scrubbing costs what lies between.
 */
import { boxNumber, candidatesOf, cellOf, columnOf, repeats, rowOf, sideOf, symbolAt, symbols } from "./puzzle.js";

/**
 * @typedef {object} Header
 * @property {number} trace  the version of the format: 2
 * @property {string} engine
 * @property {string} kind  what the pane shows
 * @property {string} puzzle
 * @property {string} [solution]
 * @property {Record<string, string>} [settings]
 * @property {boolean} capped
 *
 * @typedef {object} TraceEvent
 * @property {number} n
 * @property {Record<string, number>} [place]
 * @property {Record<string, number[]>} [strike]
 * @property {number[]} [undo]
 * @property {{node: number, parent: number, label: string}} [open]
 * @property {{node: number, why?: string}} [close]
 * @property {{to: number, because: string[]}} [jump]
 * @property {string[]} [learn]
 * @property {{from: string, to: string, kind: string, about?: string}} [message]
 * @property {string} [note]
 * @property {number} [skip]
 * @property {{end: string, found: number, nodes: number | null}} [end]
 * @property {string[]} [lit]
 */

export class Tape {
  /** @param {Header} header */
  constructor(header) {
    this.header = header;
    this.side = sideOf(header.puzzle);
    this.symbols = symbols(this.side);
    /** @type {TraceEvent[]} */
    this.events = [];
    this.position = 0;
    /** What was placed in each cell and not taken back, in the order of numbers. @type {{n: number, digit: number}[][]} */
    this.placed = Array.from(header.puzzle, () => []);
    /** How often each candidate is struck. @type {Map<number, number>} */
    this.struck = new Map();
  }

  /** The event just behind us. */
  last() {
    return this.position > 0 ? this.events[this.position - 1] : undefined;
  }

  /** Goes to the place behind so many events. @param {number} position */
  goTo(position) {
    const target = Math.max(0, Math.min(this.events.length, position));
    while (this.position < target) this.#apply(this.events[this.position++], true);
    while (this.position > target) this.#apply(this.events[--this.position], false);
  }

  /** The board as a line of symbols. */
  text() {
    return Array.from(this.header.puzzle, (_, cell) => this.digit(cell) || ".").join("");
  }

  /** @param {number} cell */
  digit(cell) {
    const clue = symbolAt(this.header.puzzle, cell);
    if (clue) return clue;
    const placed = this.placed[cell].at(-1);
    return placed ? this.symbols[placed.digit - 1] : "";
  }

  /** How many digits stand that are no clues. */
  count() {
    let count = 0;
    for (let cell = 0; cell < this.placed.length; cell++) if (this.placed[cell].length > 0) count++;
    return count;
  }

  /**
   * What each cell shows.
   * @param {{candidates: boolean}} options
   * @returns {import("./board.js").CellView[]}
   */
  views({ candidates }) {
    const text = this.text();
    const { lit = [], place, strike } = this.last() ?? {};
    const marks = this.#marks(lit);
    const fresh = new Set(Object.keys(place ?? {}).map((name) => cellOf(this.side, name)));
    const struckNow = new Map(Object.entries(strike ?? {}).map(([name, digits]) => [cellOf(this.side, name), this.#symbolsOf(digits)]));
    const conflicts = repeats(text);
    return Array.from(text, (_, cell) => {
      const digit = this.digit(cell);
      const given = symbolAt(this.header.puzzle, cell) !== "";
      const wrong = !given && digit !== "" && this.header.solution !== undefined && symbolAt(this.header.solution, cell) !== digit;
      /** @type {import("./board.js").CellView} */
      const view = { digit, given, fresh: fresh.has(cell), wrong, conflict: conflicts.has(cell) && !given,
        tint: marks.tint.has(cell), cause: marks.cause.has(cell) };
      const now = struckNow.get(cell) ?? "";
      const ringed = marks.ringed.get(cell) ?? "";
      if (!digit && (candidates || now || ringed)) {
        const left = candidates || ringed ? candidatesOf(text, cell) : "";
        const shown = [...left].filter((symbol) => !this.#isStruck(cell, symbol)).join("");
        view.candidates = [...this.symbols].filter((symbol) => (shown + now + ringed).includes(symbol)).join("");
        view.struck = now;
        view.ringed = ringed;
      }
      return view;
    });
  }

  /** How many boxes of each number are not on the board. */
  piles() {
    const text = this.text();
    return [...this.symbols].map((symbol) => this.side - [...text].filter((other) => other === symbol).length);
  }

  /** @param {number} cell @param {string} symbol */
  #isStruck(cell, symbol) {
    return this.struck.has(cell * 32 + this.symbols.indexOf(symbol) + 1);
  }

  /** @param {number[]} digits */
  #symbolsOf(digits) {
    return digits.map((digit) => this.symbols[digit - 1]).join("");
  }

  /** @param {string[]} lit */
  #marks(lit) {
    /** @type {Set<number>} */
    const tint = new Set();
    /** @type {Set<number>} */
    const cause = new Set();
    /** @type {Map<number, string>} */
    const ringed = new Map();
    for (const name of lit) {
      const house = /^([rcb])(\d+)$/.exec(name);
      const [cellName, digit] = name.split("=");
      const cell = cellOf(this.side, cellName);
      if (house) this.#house(house[1], Number(house[2]) - 1).forEach((member) => tint.add(member));
      else if (cell >= 0 && digit) ringed.set(cell, (ringed.get(cell) ?? "") + this.symbols[Number(digit) - 1]);
      else if (cell >= 0) cause.add(cell);
    }
    return { tint, cause, ringed };
  }

  /** @param {string} kind @param {number} index */
  #house(kind, index) {
    const cells = Array.from(this.header.puzzle, (_, cell) => cell);
    const of = { r: rowOf, c: columnOf, b: boxNumber }[kind] ?? boxNumber;
    return cells.filter((cell) => of(this.side, cell) === index);
  }

  /** @param {TraceEvent} event @param {boolean} happens */
  #apply(event, happens) {
    for (const [name, digit] of Object.entries(event.place ?? {})) {
      const placed = this.placed[cellOf(this.side, name)];
      if (!happens) placed.splice(placed.findIndex((each) => each.n === event.n), 1);
      else {
        const at = placed.findIndex((each) => each.n > event.n);
        placed.splice(at < 0 ? placed.length : at, 0, { n: event.n, digit });
      }
    }
    for (const [name, digits] of Object.entries(event.strike ?? {})) {
      for (const digit of digits) {
        const key = cellOf(this.side, name) * 32 + digit;
        const count = (this.struck.get(key) ?? 0) + (happens ? 1 : -1);
        if (count > 0) this.struck.set(key, count);
        else this.struck.delete(key);
      }
    }
    for (const number of event.undo ?? []) this.#apply(this.events[number - 1], !happens);
  }
}

/**
 * An event in a sentence.
 * @param {TraceEvent | undefined} event
 * @param {Map<number, string>} [labels]  of nodes
 * @returns {string}
 */
export function sentence(event, labels) {
  if (!event) return "The puzzle.";
  const { open, close, jump, learn, message, note, skip, end, place, strike, undo } = event;
  if (note) return note;
  if (open) return open.label;
  if (jump) return jump.because.length > 0 ? `Jump: ${jump.because.join(", ")} cannot all stay.` : "Jump back over several choices.";
  if (learn) return `Learnt: ${learn.join(" or ")}.`;
  if (message) return `${message.from} to ${message.to}: ${message.kind} ${message.about ?? ""}`.trim();
  if (skip) return `${skip.toLocaleString("en")} deeper events are left out here.`;
  const what = close ? labels?.get(close.node) ?? "" : "";
  if (close?.why) return `✗ ${what}: ${close.why}.`;
  if (close && undo) return `✗ ${what}, taken back.`;
  if (end) return end.found > 0 ? "The end: solved, and verified." : `The end: ${end.end}, nothing found.`;
  if (close) return `✓ ${what}`;
  if (place) return Object.entries(place).map(([cell, digit]) => `${cell} = ${digit}`).join(", ");
  if (strike) {
    const count = Object.values(strike).flat().length;
    return count === 1 ? Object.entries(strike).map(([cell, [digit]]) => `${cell} ≠ ${digit}`)[0] : `${count} candidates struck.`;
  }
  return undo ? "Taken back." : "";
}

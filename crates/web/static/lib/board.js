// @ts-check
/**
 * The board: SVG, one group a cell, a grid to those who listen.
 *
 * A view says what each cell shows; only cells that changed are drawn again.
 * Every meaning has a shape besides its colour: cause = ring, strike = stroke
 * through the candidate, conflict = hatch, selection = thick frame, house =
 * tint, chain = arrow.
 */
import { s, replace } from "./dom.js";
import { boxOf, columnOf, rowOf, symbols } from "./puzzle.js";

/**
 * @typedef {object} CellView
 * @property {string} [digit]  the symbol shown large
 * @property {boolean} [given]  the digit is a given
 * @property {string} [candidates]  small symbols, each at its fixed place
 * @property {string} [ringed]  candidates that are causes
 * @property {string} [struck]  candidates that are struck out
 * @property {string} [corner]  notes around the edge
 * @property {string} [centre]  notes in the middle
 * @property {number[]} [colours]  1 to 8
 * @property {boolean} [conflict]  breaks a rule
 * @property {boolean} [wrong]  breaks none yet, and cannot stay
 * @property {boolean} [selected]
 * @property {boolean} [focus]  where the keyboard is
 * @property {boolean} [tint]  part of a house that matters
 * @property {boolean} [cause]
 * @property {boolean} [fresh]  has just changed
 * @property {boolean} [same]  holds the digit that is looked at
 *
 * @typedef {object} Arrow
 * @property {number} from  a cell
 * @property {number} to
 * @property {string} [fromDigit]  the candidate it leaves
 * @property {string} [toDigit]
 * @property {boolean} [weak]  drawn dashed
 */

const SIZE = 100;
const SHAPES = ["", "●", "■", "▲", "◆", "★", "✚", "▼", "♥"];
let made = 0;

export class Board {
  /**
   * @param {number} side
   * @param {{label?: string, interactive?: boolean}} [options]
   */
  constructor(side, { label = "Sudoku board", interactive = false } = {}) {
    this.side = side;
    this.interactive = interactive;
    this.id = `board-${++made}`;
    const whole = side * SIZE;
    /** @type {SVGGElement[]} */
    this.cells = [];
    /** @type {string[]} */
    this.shown = [];
    /** Where a digit stands. @type {boolean[]} */
    this.digits = [];
    this.overlay = s("g", { class: "arrows", "aria-hidden": "true" });
    const rows = [];
    for (let row = 0; row < side; row++) {
      const cells = [];
      for (let column = 0; column < side; column++) {
        const cell = s("g", { role: "gridcell", class: "cell", transform: `translate(${column * SIZE} ${row * SIZE})`,
          "aria-rowindex": row + 1, "aria-colindex": column + 1, "data-cell": row * side + column });
        cells.push(cell);
        this.cells.push(cell);
        this.shown.push("");
      }
      rows.push(s("g", { role: "row" }, cells));
    }
    this.element = s("svg", { class: `board side-${side}`, viewBox: `-6 -6 ${whole + 12} ${whole + 12}`, role: "grid",
      "aria-label": label, "aria-rowcount": side, "aria-colcount": side, tabindex: interactive ? 0 : null },
    this.#definitions(), s("rect", { class: "paper", width: whole, height: whole, "aria-hidden": "true" }), rows,
    this.#lines(), this.overlay);
    this.show(Array.from({ length: side * side }, () => ({})));
  }

  /**
   * Shows these cells.
   * @param {CellView[]} views
   */
  show(views) {
    this.digits = views.map((view) => Boolean(view.digit));
    views.forEach((view, cell) => {
      const key = JSON.stringify(view);
      if (key === this.shown[cell]) return;
      this.shown[cell] = key;
      this.#draw(cell, view);
    });
  }

  /**
   * Draws arrows between candidates, and removes those drawn before.
   * @param {Arrow[]} arrows
   */
  arrows(arrows) {
    replace(this.overlay, arrows.map((arrow) => this.#arrow(arrow)));
  }

  /**
   * Calls back with the cell under the pointer: `down` first, then `over` for
   * each other cell it is drawn across.
   * @param {(cell: number, phase: "down" | "over", event: PointerEvent) => void} callback
   */
  onPointer(callback) {
    let last = -1;
    this.element.addEventListener("pointerdown", (event) => {
      // One finger draws; a second one is none of ours.
      if (event.button !== 0 || !event.isPrimary) return;
      last = this.#cellAt(event);
      if (last < 0) return;
      this.element.setPointerCapture(event.pointerId);
      this.element.focus({ preventScroll: true });
      callback(last, "down", event);
      event.preventDefault();
    });
    this.element.addEventListener("pointermove", (event) => {
      if (last < 0 || !this.element.hasPointerCapture(event.pointerId)) return;
      // A quick finger crosses several cells between two frames.
      const all = event.getCoalescedEvents();
      for (const each of all.length > 0 ? all : [event]) {
        const cell = this.#cellAt(each, 0.36);
        if (cell < 0 || cell === last) continue;
        last = cell;
        callback(cell, "over", event);
      }
    });
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) this.element.addEventListener(end, () => (last = -1));
  }

  /** @param {PointerEvent} event @param {number} [margin]  how near to a cell's middle */
  #cellAt(event, margin = 0.5) {
    const box = this.element.getBoundingClientRect();
    const unit = box.width / (this.side * SIZE + 12);
    const x = ((event.clientX - box.left) / unit - 6) / SIZE;
    const y = ((event.clientY - box.top) / unit - 6) / SIZE;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    if (column < 0 || row < 0 || column >= this.side || row >= this.side) return -1;
    if (Math.abs(x - column - 0.5) > margin || Math.abs(y - row - 0.5) > margin) return -1;
    return row * this.side + column;
  }

  /** @param {number} cell @param {CellView} view */
  #draw(cell, view) {
    const group = this.cells[cell];
    const classes = ["cell"];
    for (const name of /** @type {const} */ (["given", "conflict", "wrong", "selected", "focus", "tint", "cause", "fresh", "same"])) {
      if (view[name]) classes.push(name);
    }
    group.setAttribute("class", classes.join(" "));
    group.setAttribute("aria-label", this.#label(cell, view));
    if (this.interactive) group.setAttribute("aria-selected", String(Boolean(view.selected)));
    if (view.focus) {
      group.id = `${this.id}-focus`;
      this.element.setAttribute("aria-activedescendant", group.id);
    } else group.removeAttribute("id");
    replace(group, ...this.#parts(view));
  }

  /** @param {CellView} view */
  #parts(view) {
    const parts = [s("rect", { class: "ground", width: SIZE, height: SIZE })];
    const colours = view.colours ?? [];
    colours.forEach((colour, nth) => {
      const width = SIZE / colours.length;
      parts.push(s("rect", { class: `colour colour-${colour}`, x: nth * width, width, height: SIZE }));
      parts.push(/** @type {any} */ (s("text", { class: "shape", x: nth * width + width - 10, y: SIZE - 8 }, SHAPES[colour])));
    });
    if (view.conflict) parts.push(s("rect", { class: "hatch", width: SIZE, height: SIZE, fill: `url(#${this.id}-hatch)` }));
    if (view.cause) parts.push(/** @type {any} */ (s("circle", { class: "ring", cx: 50, cy: 50, r: 44 })));
    if (view.selected) parts.push(s("rect", { class: "frame", x: 4, y: 4, width: SIZE - 8, height: SIZE - 8, rx: 4 }));
    if (view.wrong && !view.conflict) parts.push(/** @type {any} */ (s("path", { class: "dots", d: "M26 89H76" })));
    if (view.digit) parts.push(/** @type {any} */ (s("text", { class: "digit", x: 50, y: 53 }, view.digit)));
    else parts.push(.../** @type {any[]} */ (this.#small(view)));
    return parts;
  }

  /** @param {CellView} view */
  #small(view) {
    const parts = [];
    for (const symbol of view.candidates ?? "") {
      const [x, y] = this.#place(symbol);
      const r = this.#unit() * 0.46;
      const name = view.struck?.includes(symbol) ? "struck" : view.ringed?.includes(symbol) ? "ringed" : "";
      if (name === "ringed") parts.push(s("circle", { class: "ring", cx: x, cy: y, r }));
      parts.push(s("text", { class: `candidate ${name}`, x, y }, symbol));
      if (name === "struck") parts.push(s("path", { class: "stroke", d: `M${x - r} ${y + r}L${x + r} ${y - r}` }));
    }
    const corner = view.corner ?? "";
    const spots = [[18, 20], [82, 20], [18, 82], [82, 82], [50, 20], [50, 82], [18, 51], [82, 51], [50, 51]];
    [...corner].forEach((symbol, nth) => {
      const [x, y] = spots[nth % spots.length];
      parts.push(s("text", { class: "corner", x, y }, symbol));
    });
    if (view.centre) {
      const size = Math.min(26, 132 / view.centre.length);
      parts.push(s("text", { class: "centre", x: 50, y: 51, "font-size": size }, view.centre));
    }
    return parts;
  }

  /** How wide the place of a candidate is. */
  #unit() {
    return SIZE / Math.ceil(Math.sqrt(this.side));
  }

  /** The middle of a candidate's place within its cell. @param {string} symbol @returns {[number, number]} */
  #place(symbol) {
    const across = Math.ceil(Math.sqrt(this.side));
    const nth = Math.max(0, symbols(this.side).indexOf(symbol));
    const rows = Math.ceil(this.side / across);
    const unit = SIZE / across;
    // A little nearer to the middle, so that none touches a line.
    const inward = (/** @type {number} */ at) => SIZE / 2 + (at - SIZE / 2) * 0.94;
    return [inward((nth % across + 0.5) * unit), inward((Math.floor(nth / across) + 0.5) * (SIZE / rows))];
  }

  /** @param {number} cell @param {CellView} view */
  #label(cell, view) {
    const words = [`row ${rowOf(this.side, cell) + 1} column ${columnOf(this.side, cell) + 1}`];
    if (view.digit) words.push(view.given ? `${view.digit}, given` : view.digit);
    else words.push("empty");
    const list = (/** @type {string} */ text) => [...text].join(" ").replace(/ (\S)$/, " and $1");
    if (!view.digit && view.centre) words.push(`notes ${list(view.centre)}`);
    if (!view.digit && view.corner) words.push(`corner notes ${list(view.corner)}`);
    if (!view.digit && view.candidates) words.push(`candidates ${list(view.candidates)}`);
    if (view.struck) words.push(`struck out ${list(view.struck)}`);
    if (view.ringed || view.cause) words.push("a cause");
    if (view.colours?.length) words.push(`colour ${view.colours.join(" and ")}`);
    if (view.conflict) words.push("conflict");
    else if (view.wrong) words.push("not in the solution");
    return words.join(", ");
  }

  #definitions() {
    const hatch = s("pattern", { id: `${this.id}-hatch`, width: 14, height: 14, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { class: "hatch-line", width: 4, height: 14 }));
    const head = s("marker", { id: `${this.id}-head`, viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto-start-reverse" },
      s("path", { class: "head", d: "M0 0L10 5L0 10z" }));
    return s("defs", {}, hatch, head);
  }

  #lines() {
    const [boxRows, boxColumns] = boxOf(this.side);
    const whole = this.side * SIZE;
    let thin = "", thick = "";
    for (let nth = 1; nth < this.side; nth++) {
      const down = `M0 ${nth * SIZE}H${whole}`, across = `M${nth * SIZE} 0V${whole}`;
      if (nth % boxRows) thin += down; else thick += down;
      if (nth % boxColumns) thin += across; else thick += across;
    }
    return s("g", { class: "lines", "aria-hidden": "true" }, s("path", { class: "thin", d: thin }), s("path", { class: "thick", d: thick }),
      s("rect", { class: "thick", width: whole, height: whole, rx: 2 }));
  }

  /** How many digits a curve crosses. @param {number[]} from @param {number[]} over @param {number[]} to */
  #crossed(from, over, to) {
    const cells = new Set();
    for (let part = 0.05; part < 1; part += 0.05) {
      const [x, y] = [0, 1].map((axis) => (1 - part) ** 2 * from[axis] + 2 * part * (1 - part) * over[axis] + part ** 2 * to[axis]);
      const [column, row] = [Math.floor(x / SIZE), Math.floor(y / SIZE)];
      if (column < 0 || row < 0 || column >= this.side || row >= this.side) return Infinity;
      // A digit fills the middle of its cell.
      const off = Math.max(Math.abs(x - (column + 0.5) * SIZE), Math.abs(y - (row + 0.5) * SIZE));
      if (off < SIZE * 0.34) cells.add(row * this.side + column);
    }
    return [...cells].filter((cell) => this.digits[cell]).length;
  }

  /** Bends away from the straight line, so that digits between stay readable. @param {Arrow} arrow */
  #arrow(arrow) {
    const point = (/** @type {number} */ cell, /** @type {string | undefined} */ digit) => {
      const [x, y] = digit ? this.#place(digit) : [50, 50];
      return [columnOf(this.side, cell) * SIZE + x, rowOf(this.side, cell) * SIZE + y];
    };
    const [x1, y1] = point(arrow.from, arrow.fromDigit), [x2, y2] = point(arrow.to, arrow.toDigit);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const gap = this.#unit() * 0.5;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const bend = Math.min(60, length * 0.18);
    const middle = (/** @type {number} */ way) => [(x1 + x2) / 2 - uy * way, (y1 + y2) / 2 + ux * way];
    // The first way around that crosses fewest digits.
    const crossed = (/** @type {number} */ way) => this.#crossed([x1, y1], middle(way), [x2, y2]);
    const ways = [bend, -bend, 2 * bend, -2 * bend, 3 * bend, -3 * bend].map((way) => ({ way, cost: crossed(way) }));
    const [mx, my] = middle(ways.reduce((best, each) => (each.cost < best.cost ? each : best)).way);
    const inset = Math.min(gap, length / 3);
    // Heads grow with the stroke: between neighbours there is room for small ones only.
    const kind = `arrow${arrow.weak ? " weak" : ""}${length < SIZE ? " short" : ""}`;
    return s("path", { class: kind, "marker-end": `url(#${this.id}-head)`,
      d: `M${x1 + ux * inset} ${y1 + uy * inset}Q${mx} ${my} ${x2 - ux * inset} ${y2 - uy * inset}` });
  }
}

// @ts-check
/** A long list of which only what is visible is drawn: ten thousand rows cost as much as thirty. */
import { h, replace } from "./dom.js";

export class List {
  /**
   * @param {object} options
   * @param {string} options.label
   * @param {number} options.rows
   * @param {number} options.height  of a row, in pixels
   * @param {(nth: number) => HTMLElement} options.draw
   */
  constructor({ label, rows, height, draw }) {
    this.rows = rows;
    this.height = height;
    this.draw = draw;
    this.window = h("div", { class: "list-window" });
    this.whole = h("div", { class: "list-whole" }, this.window);
    this.element = h("div", { class: "list", tabindex: 0, role: "group", "aria-label": label, onscroll: () => this.refresh() }, this.whole);
    new ResizeObserver(() => this.refresh()).observe(this.element);
    this.setRows(rows);
  }

  /** @param {number} rows */
  setRows(rows) {
    this.rows = rows;
    this.whole.style.height = `${rows * this.height}px`;
    this.refresh();
  }

  /** Draws what is visible, anew. */
  refresh() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - 4);
    const last = Math.min(this.rows, first + Math.ceil((clientHeight || 400) / this.height) + 8);
    this.window.style.transform = `translateY(${first * this.height}px)`;
    replace(this.window, Array.from({ length: Math.max(0, last - first) }, (_, nth) => this.draw(first + nth)));
  }

  /** Scrolls a row into sight, if it is not. @param {number} nth */
  reveal(nth) {
    const { scrollTop, clientHeight } = this.element;
    const top = nth * this.height;
    if (top < scrollTop || top + this.height > scrollTop + clientHeight) this.element.scrollTop = Math.max(0, top - clientHeight / 2);
  }
}

// @ts-check
/**
 * A list of any length of which only the visible part is drawn.
 *
 * All rows have the same height; a spacer as high as all of them makes the
 * scroll bar true, and the rows in view are placed on it.
 */
import { h, replace } from "../lib/dom.js";

export class VirtualList {
  /**
   * @param {object} options
   * @param {string} options.label
   * @param {number} options.height  of a row, in pixels
   * @param {(nth: number) => HTMLElement} options.draw
   * @param {AbortSignal} options.signal
   * @param {(nth: number) => void} [options.onPick]
   */
  constructor({ label, height, draw, signal, onPick }) {
    this.height = height;
    this.draw = draw;
    this.count = 0;
    this.first = -1;
    this.waiting = false;
    /** Follow the end, unless somebody has scrolled away. */
    this.following = true;
    this.body = h("div", { class: "rows" });
    this.element = h("div", { class: "virtual", role: "list", "aria-label": label, tabindex: 0 }, this.body);
    this.element.addEventListener("scroll", () => this.#later(), { signal, passive: true });
    this.element.addEventListener("wheel", () => (this.following = false), { signal, passive: true });
    this.element.addEventListener("pointerdown", () => (this.following = false), { signal });
    if (onPick) {
      this.element.addEventListener("click", (event) => {
        const row = event.target instanceof Element ? event.target.closest("[data-nth]") : null;
        if (row) onPick(Number(row.getAttribute("data-nth")));
      }, { signal });
    }
    const observer = new ResizeObserver(() => this.#later());
    observer.observe(this.element);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  /** There are now so many rows; their looks may have changed too. @param {number} count */
  show(count) {
    this.count = count;
    this.body.style.height = `${count * this.height}px`;
    if (this.following) this.element.scrollTop = Math.max(0, count * this.height - this.element.clientHeight);
    this.first = -1;
    this.#later();
  }

  #later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.#paint();
    });
  }

  #paint() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.height) - 4);
    if (first === this.first) return;
    this.first = first;
    const last = Math.min(this.count, first + Math.ceil(this.element.clientHeight / this.height) + 9);
    const rows = [];
    for (let nth = first; nth < last; nth++) {
      const row = this.draw(nth);
      row.setAttribute("role", "listitem");
      row.setAttribute("aria-setsize", String(this.count));
      row.setAttribute("aria-posinset", String(nth + 1));
      row.dataset.nth = String(nth);
      row.style.transform = `translateY(${nth * this.height}px)`;
      rows.push(row);
    }
    replace(this.body, rows);
  }
}

// @ts-check
/**
 * The editor: a plain text area, which every keyboard, screen reader and phone
 * knows, above a drawing of the same text with colours and marks, and beside a
 * gutter. Only the lines in sight are drawn.
 */
import { h, replace } from "../../lib/dom.js";
import { rangeOf } from "./edits.js";

const LINE = 21;
const WORD = /(;[^\n]*)|(:[\w-]+)|(\?[\w@-]+)|([()])|([^\s();]+)/g;

export class Editor {
  /**
   * @param {string} name
   * @param {object} options
   * @param {() => void} options.onChange
   * @param {(offset: number) => Promise<HTMLElement | null>} options.onHover
   * @param {AbortSignal} options.signal
   */
  constructor(name, { onChange, onHover, signal }) {
    this.onHover = onHover;
    this.onChange = onChange;
    /** A text is being put in, line by line. */
    this.replacing = false;
    /** @type {any[]} */
    this.marks = [];
    /** @type {{start: number, end: number, tone: string, message: string}[]} */
    this.ranges = [];
    /** How wide a character is. @type {number | undefined} */
    this.advance = undefined;
    this.area = h("textarea", { class: "code", "aria-label": name, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      oninput: () => { if (!this.replacing) this.#edited(); }, onscroll: () => this.refresh(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) });
    this.paint = h("pre", { class: "paint", "aria-hidden": "true" });
    this.gutter = h("div", { class: "gutter", "aria-hidden": "true" });
    this.tip = h("div", { class: "tip", role: "tooltip", hidden: true });
    this.element = h("div", { class: "editor" }, this.gutter, h("div", { class: "sheet-of-code" }, this.paint, this.area), this.tip);
    this.#hover(signal);
    const resized = new ResizeObserver(() => this.refresh());
    resized.observe(this.element);
    signal.addEventListener("abort", () => resized.disconnect());
  }

  get text() {
    return this.area.value;
  }

  /** Shows another text; what was there cannot be got back. @param {string} text */
  set(text) {
    this.area.value = text;
    this.marks = [];
    this.area.scrollTop = 0;
    this.#changed();
  }

  /**
   * Puts a text in the place of all, so that Ctrl+Z brings it back.
   *
   * The browser inserts line by line and tells of each: only what differs is
   * put in, and we listen again when all of it is there.
   * @param {string} text
   */
  replaceAll(text) {
    const old = this.text;
    const { scrollTop } = this.area;
    let start = 0, end = 0;
    const most = Math.min(old.length, text.length);
    while (start < most && old[start] === text[start]) start++;
    while (end < most - start && old.at(-1 - end) === text.at(-1 - end)) end++;
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, old.length - end);
    this.replacing = true;
    // The only way that the browser's own undo learns of the change.
    // It goes to what has the focus, which an editor out of sight cannot have.
    if (document.activeElement === this.area) document.execCommand("insertText", false, text.slice(start, text.length - end));
    if (this.text !== text) this.area.value = text;
    this.replacing = false;
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = scrollTop;
    this.#edited();
  }

  /** Marks places. @param {any[]} findings */
  mark(findings) {
    this.marks = findings;
    this.#changed();
  }

  /** Selects a place and brings it into sight. @param {any} place */
  select(place) {
    const [start, end] = rangeOf(this.text, place);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, Math.max(end, start));
    this.area.scrollTop = Math.max(0, (place.line - 4) * LINE);
    this.refresh();
  }

  #edited() {
    this.#changed();
    this.onChange();
  }

  #changed() {
    this.lines = this.text.split("\n");
    this.ranges = this.marks.map((each) => {
      const [start, end] = rangeOf(this.text, each.place);
      return { start, end: Math.max(end, start + 1), tone: each.severity, message: each.message };
    });
    this.starts = [0];
    for (const line of this.lines) this.starts.push((this.starts.at(-1) ?? 0) + line.length + 1);
    this.refresh();
  }

  /** Draws the lines in sight. */
  refresh() {
    if (!this.lines || !this.starts) return;
    const { scrollTop, scrollLeft, clientHeight } = this.area;
    const first = Math.max(0, Math.floor(scrollTop / LINE) - 5);
    const last = Math.min(this.lines.length, first + Math.ceil(clientHeight / LINE) + 12);
    const lines = [], numbers = [];
    for (let nth = first; nth < last; nth++) {
      lines.push(h("div", { class: "line" }, this.#line(nth)));
      const worst = this.marks.filter((each) => each.place.line === nth + 1).map((each) => each.severity);
      const tone = ["error", "warning", "hint"].find((each) => worst.includes(each));
      const sign = tone === "error" ? "✗" : tone === "warning" ? "!" : tone === "hint" ? "·" : "";
      numbers.push(h("div", { class: `number ${tone ?? ""}` }, h("span", {}, sign), String(nth + 1)));
    }
    replace(this.paint, lines);
    replace(this.gutter, h("div", { class: "line-numbers" }, numbers));
    this.paint.style.transform = `translate(${-scrollLeft}px, ${first * LINE - scrollTop}px)`;
    const inner = /** @type {HTMLElement} */ (this.gutter.firstChild);
    inner.style.transform = `translateY(${first * LINE - scrollTop}px)`;
  }

  /** A line with its colours and marks. @param {number} nth */
  #line(nth) {
    const text = /** @type {string[]} */ (this.lines)[nth];
    const start = /** @type {number[]} */ (this.starts)[nth];
    const end = start + text.length;
    const here = this.ranges.filter((range) => range.start <= end && range.end >= start);
    const parts = [];
    let at = 0;
    for (const found of text.matchAll(WORD)) {
      if (found.index > at) parts.push(text.slice(at, found.index));
      const kind = found[1] ? "remark" : found[2] ? "keyword" : found[3] ? "variable" : found[4] ? "paren" : "word";
      const from = start + found.index, to = from + found[0].length;
      const mark = here.find((range) => range.start < to && range.end > from);
      parts.push(h("span", { class: mark ? `${kind} marked ${mark.tone}` : kind }, found[0]));
      at = found.index + found[0].length;
    }
    if (at < text.length) parts.push(text.slice(at));
    return parts.length > 0 ? parts : [" "];
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && !event.isComposing) {
      const before = this.text.slice(0, this.area.selectionStart);
      const indent = /(?:^|\n)([ \t]*)[^\n]*$/.exec(before)?.[1] ?? "";
      event.preventDefault();
      document.execCommand("insertText", false, `\n${indent}`);
    }
  }

  /** The meaning of a name under the pointer, after a moment. @param {AbortSignal} signal */
  #hover(signal) {
    let timer = 0;
    const away = () => { clearTimeout(timer); this.tip.hidden = true; };
    this.area.addEventListener("pointermove", (event) => {
      away();
      if (event.buttons) return;
      timer = setTimeout(async () => {
        const offset = this.#offsetAt(event);
        if (offset === null) return;
        const mark = this.ranges.find((range) => range.start <= offset && offset < range.end);
        const found = await this.onHover([...this.text.slice(0, offset)].length).catch(() => null);
        if (signal.aborted || (!found && !mark)) return;
        replace(this.tip, mark ? h("p", { class: mark.tone }, mark.message) : null, found);
        const box = this.element.getBoundingClientRect();
        this.tip.hidden = false;
        this.tip.style.left = `${Math.min(event.clientX - box.left + 8, Math.max(8, box.width - this.tip.offsetWidth - 8))}px`;
        this.tip.style.top = `${event.clientY - box.top + 18}px`;
      }, 250);
    });
    this.area.addEventListener("pointerleave", away);
    this.area.addEventListener("scroll", away);
    signal.addEventListener("abort", away);
  }

  /** @param {PointerEvent} event */
  #offsetAt(event) {
    if (!this.lines || !this.starts) return null;
    const box = this.area.getBoundingClientRect();
    const style = getComputedStyle(this.area);
    const nth = Math.floor((event.clientY - box.top + this.area.scrollTop - parseFloat(style.paddingTop)) / LINE);
    const line = this.lines[nth];
    if (line === undefined) return null;
    this.advance ??= measure(style.font);
    let left = (event.clientX - box.left + this.area.scrollLeft - parseFloat(style.paddingLeft)) / this.advance;
    for (let at = 0; at < line.length; at++) {
      left -= line[at] === "\t" ? 4 : 1;
      if (left < 0) return this.starts[nth] + at;
    }
    return null;
  }
}

/** How wide a character is. @param {string} font */
function measure(font) {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return 8;
  context.font = font;
  return context.measureText("mmmmmmmmmm").width / 10;
}

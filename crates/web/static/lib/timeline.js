// @ts-check
/**
 * The timeline: play, pause, step, speed and scrub over positions 0 to `length`.
 *
 * It knows numbers only; the view draws the position it is told. It pauses when
 * the tab is hidden.
 */
import { h } from "./dom.js";
import { bind } from "./keys.js";

const SPEEDS = [1, 2, 5, 10, 30, 100];

export class Timeline {
  /**
   * @param {object} options
   * @param {(position: number) => void} options.onMove
   * @param {(position: number) => string} [options.describe]  the position in words
   * @param {AbortSignal} options.signal
   * @param {number} [options.speed]  positions a second
   */
  constructor({ onMove, describe, signal, speed = 5 }) {
    this.onMove = onMove;
    this.describe = describe;
    this.length = 0;
    this.position = 0;
    this.playing = false;
    this.last = 0;
    this.owed = 0;
    const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ run) =>
      h("button", { type: "button", "aria-label": label, title: label, onclick: run }, sign);
    this.toggle = button("▶", "Play", () => this.playing ? this.pause() : this.play());
    this.toggle.className = "primary";
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Position",
      // Pausing shows the old position: what was asked for is read first.
      oninput: () => { const wanted = Number(this.slider.value); this.pause(); this.move(wanted); } });
    this.counter = h("output", { class: "counter" });
    this.speed = h("select", { "aria-label": "Speed" },
      SPEEDS.map((each) => h("option", { value: each, selected: each === speed }, `${each}/s`)));
    this.element = h("div", { class: "timeline", role: "group", "aria-label": "Timeline" },
      button("«", "To the beginning", () => { this.pause(); this.move(0); }),
      button("‹", "One step back", () => { this.pause(); this.move(this.position - 1); }), this.toggle,
      button("›", "One step on", () => { this.pause(); this.move(this.position + 1); }),
      button("»", "To the end", () => { this.pause(); this.move(this.length); }),
      this.slider, this.counter, this.speed);
    bind(signal, [
      { show: ".", what: "one step on", match: (e) => e.key === "." && !e.ctrlKey, run: () => { this.pause(); this.move(this.position + 1); } },
      { show: ",", what: "one step back", match: (e) => e.key === "," && !e.ctrlKey, run: () => { this.pause(); this.move(this.position - 1); } },
    ]);
    signal.addEventListener("abort", () => this.pause());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.pause(); }, { signal });
    this.#show();
  }

  /** There are now so many positions; the place stays. @param {number} length */
  setLength(length) {
    this.length = length;
    if (this.position > length) this.move(length);
    else this.#show();
  }

  /** @param {number} position */
  move(position) {
    const next = Math.max(0, Math.min(this.length, Math.round(position)));
    const changed = next !== this.position;
    this.position = next;
    this.#show();
    if (changed) this.onMove(next);
  }

  play() {
    if (this.position >= this.length) this.move(0);
    this.playing = true;
    this.last = performance.now();
    this.owed = 0;
    this.#show();
    requestAnimationFrame((now) => this.#frame(now));
  }

  pause() {
    this.playing = false;
    this.#show();
  }

  /** @param {number} now */
  #frame(now) {
    if (!this.playing) return;
    this.owed += ((now - this.last) / 1000) * Number(this.speed.value);
    this.last = now;
    const steps = Math.floor(this.owed);
    this.owed -= steps;
    if (steps > 0) this.move(this.position + steps);
    if (this.position >= this.length) return this.pause();
    requestAnimationFrame((next) => this.#frame(next));
  }

  #show() {
    this.slider.max = String(this.length);
    this.slider.value = String(this.position);
    this.slider.setAttribute("aria-valuetext", this.describe?.(this.position) ?? `${this.position} of ${this.length}`);
    this.counter.textContent = `${this.position} / ${this.length}`;
    this.toggle.textContent = this.playing ? "❚❚" : "▶";
    this.toggle.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.toggle.title = this.playing ? "Pause" : "Play";
  }
}

// @ts-check
/**
 * Race: all engines on one puzzle at once, a lane each.
 *
 * One stream tells how far every engine is; a lane draws the digits it has
 * placed over time. Engines differ by a factor of a million, so the axis of time
 * is logarithmic. Any lane can be cancelled, and leaving the page cancels all.
 */
import { events, get, isAbort, post } from "../lib/api.js";
import { h, replace, s, say } from "../lib/dom.js";
import { recent } from "../lib/store.js";
import { go, note } from "../lib/url.js";

/**
 * @typedef {object} State  what the stream says of a lane
 * @property {string} engine
 * @property {number} placed
 * @property {number} nodes
 * @property {number} time_us
 * @property {string} [end]
 * @property {boolean} [solved]
 */

/**
 * @param {HTMLElement} root
 * @param {import("../app.js").Context} context
 */
export async function mount(root, { signal, params }) {
  const examples = await get("/examples", signal);
  const puzzle = params.get("p") || recent()[0] || examples[0].puzzle;
  note({ p: puzzle });
  const again = (/** @type {string} */ p) => go(`/race?${new URLSearchParams({ p })}`);
  const example = examples.find((/** @type {any} */ each) => each.puzzle === puzzle);
  const choose = h("select", { id: "puzzle", onchange: () => choose.value && again(choose.value) },
    example ? null : h("option", { value: "", selected: true }, "this puzzle"),
    examples.map((/** @type {any} */ each) => h("option", { value: each.puzzle, selected: each === example }, each.name)));
  const field = h("input", { type: "text", id: "paste", placeholder: "81 characters, dots for blanks", autocomplete: "off", spellcheck: "false" });
  const paste = h("form", { class: "row paste", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); if (field.value.trim()) again(field.value.trim()); } },
    h("label", { for: "paste" }, "or paste"), field, h("button", { type: "submit" }, "Take it"));
  const start = h("button", { type: "button", class: "primary", onclick: () => void run() }, "Start the race");
  const stop = h("button", { type: "button", disabled: true, onclick: () => current?.abort() }, "Cancel all");
  const status = h("p", { class: "muted status", role: "status" }, "All engines on one puzzle at once; each has ten seconds.");
  const list = h("ol", { class: "lanes", "aria-label": "Lanes" });
  const axis = timeAxis();
  axis.hidden = true;
  replace(root, h("h1", {}, "Race"), h("div", { class: "card chooser" }, h("div", { class: "row" },
    h("label", { for: "puzzle" }, "Puzzle"), choose, paste, start, stop)), status, axis, list);
  /** @type {AbortController | undefined} */
  let current;
  signal.addEventListener("abort", () => current?.abort());

  async function run() {
    current?.abort();
    const mine = new AbortController();
    current = mine;
    start.disabled = true;
    stop.disabled = false;
    list.removeAttribute("data-done");
    /** @type {Map<string, Lane>} */
    const lanes = new Map();
    let race = "", last = 0;
    try {
      await events(`/race?${new URLSearchParams({ puzzle })}`, (data, name) => {
        if (name === "start") {
          race = data.race;
          for (const each of data.lanes) lanes.set(each.engine, new Lane(each, data.blanks, () => void cancel(race, each.engine)));
          replace(list, [...lanes.values()].map((lane) => lane.element));
          axis.hidden = false;
          status.textContent = `${lanes.size} engines run on ${data.threads} threads: digits placed over time, the time logarithmic.`;
        } else if (name === "lanes") {
          for (const state of data.lanes) lanes.get(state.engine)?.add(state);
          // What nobody sees is not drawn; the last sample draws it all.
          if (!document.hidden) for (const lane of lanes.values()) lane.draw(data.time_us);
          last = data.time_us;
        } else if (name === "refused") throw new Error(data.detail);
      }, mine.signal, { live: true });
      settle(lanes, "done", last);
    } catch (error) {
      if (!isAbort(error) && !mine.signal.aborted) {
        status.className = "status bad";
        status.textContent = error instanceof Error ? error.message : String(error);
      } else settle(lanes, "cancelled", last);
    }
    if (current === mine) {
      start.disabled = false;
      start.textContent = "Race again";
      stop.disabled = true;
    }
  }

  /** The fastest first, and a sentence on who won. @param {Map<string, Lane>} lanes @param {string} how @param {number} now */
  function settle(lanes, how, now) {
    for (const lane of lanes.values()) {
      lane.left();
      lane.draw(now);
    }
    const order = [...lanes.values()].sort((a, b) => a.rank() - b.rank());
    replace(list, order.map((lane) => lane.element));
    const solved = order.filter((lane) => lane.state?.solved);
    const words = solved.length > 0 ? `${solved.length} of ${order.length} solved it; ${solved[0].name} first, in ${duration(solved[0].state?.time_us ?? 0)}.` : "Nobody solved it.";
    status.textContent = how === "cancelled" ? `Cancelled. ${words}` : words;
    say(status.textContent);
    list.dataset.done = how;
  }
}

/** @param {string} race @param {string} engine */
async function cancel(race, engine) {
  try {
    await post("/race/cancel", { race, engine });
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
}

const WIDTH = 1000;
/** Powers of ten, in microseconds, between which time is drawn: ten seconds are all an engine has. */
const [FROM, TO] = [1, 7];
const DECADES = Array.from({ length: TO - FROM + 1 }, (_, nth) => FROM + nth);

/** Where a time lies on the axis, from 0 to 1. @param {number} us */
function along(us) {
  return Math.min(1, Math.max(0, (Math.log10(Math.max(us, 1)) - FROM) / (TO - FROM)));
}

/** The times above the lanes. */
function timeAxis() {
  const labels = DECADES.map((power) => {
    const label = h("span", {}, duration(10 ** power).replace(/\.0+ /, " "));
    label.style.left = `${along(10 ** power) * 100}%`;
    return label;
  });
  return h("div", { class: "lane axis", "aria-hidden": "true" }, h("div", {}), h("div", { class: "decades" }, labels), h("div", {}), h("div", {}));
}

class Lane {
  /**
   * @param {{engine: string, summary: string, kind: string}} who
   * @param {number} blanks
   * @param {() => void} cancel
   */
  constructor({ engine, summary }, blanks, cancel) {
    this.name = engine;
    this.blanks = Math.max(1, blanks);
    /** @type {State | undefined} */
    this.state = undefined;
    /** @type {[number, number][]} */
    this.points = [[0, 0]];
    this.area = s("path", { class: "fill" });
    this.curve = s("path", { class: "curve" });
    this.figures = h("div", { class: "figures" }, "…");
    this.button = h("button", { type: "button", "aria-label": `Cancel ${engine}`, onclick: () => { this.button.disabled = true; cancel(); } }, "Cancel");
    this.action = h("div", { class: "action" }, this.button);
    this.element = h("li", { class: "lane", "data-engine": engine },
      h("div", { class: "name", title: summary }, engine, h("small", {}, summary)),
      s("svg", { viewBox: `0 0 ${WIDTH} 100`, preserveAspectRatio: "none", role: "img", "aria-label": `Digits placed by ${engine} over time` },
        s("path", { class: "decade", d: DECADES.slice(1, -1).map((power) => `M${along(10 ** power) * WIDTH} 0V100`).join("") }),
        s("path", { class: "full", d: `M0 6H${WIDTH}` }), this.area, this.curve),
      this.figures, this.action);
  }

  /** @param {State} state */
  add(state) {
    this.state = state;
    // The end is timed by the engine's own clock: samples taken while it waited for its turn are no part of it.
    if (state.end) this.points = this.points.filter(([time]) => time < state.time_us);
    this.points.push([state.time_us, state.placed]);
    // A long race keeps its shape with half the points.
    if (this.points.length > 600) this.points = this.points.filter((_, nth) => nth % 2 === 0 || nth > 590);
    const words = state.end ? (state.solved ? "solved" : state.end) : "running";
    replace(this.figures, state.end ? duration(state.time_us) : `${state.placed} of ${this.blanks}`,
      h("small", {}, `${compact(state.nodes)} nodes`));
    if (state.end) {
      this.element.classList.add(state.solved ? "solved" : "lost");
      replace(this.action, h("span", { class: state.solved ? "good" : "bad" }, `${state.solved ? "✓" : "✗"} ${words}`));
    }
  }

  /** Draws what there is until now; what is solved stays solved. @param {number} now */
  draw(now) {
    const last = this.points[this.points.length - 1];
    const until = this.state?.solved ? 10 ** TO : Math.max(last[0], this.state?.end ? 0 : now);
    const points = [...this.points, [until, last[1]]];
    const at = (/** @type {number[]} */ [time, placed]) => [along(time) * WIDTH, 100 - (placed / this.blanks) * 94];
    let path = "";
    for (const point of points) {
      const [x, y] = at(point);
      path += path === "" ? `M${x.toFixed(1)} ${y.toFixed(1)}` : `H${x.toFixed(1)}V${y.toFixed(1)}`;
    }
    this.curve.setAttribute("d", path);
    this.area.setAttribute("d", `${path}V100H0Z`);
  }

  /** The stream is over, with or without an end of this lane. */
  left() {
    if (this.state?.end) return;
    this.element.classList.add("lost");
    replace(this.action, h("span", { class: "bad" }, "✗ cancelled"));
  }

  rank() {
    return this.state?.solved ? this.state.time_us : this.state?.end ? 1e15 : 2e15;
  }
}

/** @param {number} us */
function duration(us) {
  if (us < 1000) return `${us} µs`;
  return us < 1e6 ? `${(us / 1000).toPrecision(3)} ms` : `${(us / 1e6).toPrecision(3)} s`;
}

/** @param {number} count */
function compact(count) {
  return new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(count);
}

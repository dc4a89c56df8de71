// @ts-check
/**
 * Watch: any engine on any puzzle, event by event.
 *
 * The server searches within its limits and streams the trace; the tape knows
 * the board after each event, the pane what happened. Where we are stands in
 * the address.
 */
import { Refusal, events, get, isAbort, visible } from "../lib/api.js";
import { Board } from "../lib/board.js";
import { h, replace, say } from "../lib/dom.js";
import { recent } from "../lib/store.js";
import { Timeline } from "../lib/timeline.js";
import { Tape, sentence } from "../lib/trace.js";
import { go, note } from "../lib/url.js";
import { Pane } from "../panes/pane.js";

/** What each kind is called in the list of engines. @type {[string, string][]} */
const GROUPS = [
  ["htn", "Planning: tasks (HTN)"], ["strips", "Planning: actions (STRIPS)"], ["search", "Constraints: search"],
  ["sat", "SAT with learning"], ["robots", "Robots and boxes"], ["people", "People"], ["answer", "Answer only"],
];
/** Those whose candidates are worth seeing. */
const WITH_CANDIDATES = new Set(["search", "sat", "people"]);

/**
 * @param {HTMLElement} root
 * @param {import("../app.js").Context} context
 */
export async function mount(root, { signal, params }) {
  const [engines, examples] = await Promise.all([get("/watch/engines", signal), get("/examples", signal)]);
  const puzzle = params.get("p") || recent()[0] || examples[0].puzzle;
  const engine = params.get("engine") || "htn";
  note({ p: puzzle, engine });
  const place = h("div", { class: "stage watch" });
  const status = h("p", { class: "muted status", role: "status" }, "…");
  replace(root, h("h1", { class: "unseen" }, "Watch"), chooser({ engines, examples, puzzle, engine }), status, place);
  const limit = params.get("limit") ?? "";
  void stream(place, status, { puzzle, engine, limit, at: Number(params.get("at") ?? 0), signal });
}

/** @param {{engines: any[], examples: any[], puzzle: string, engine: string}} what */
function chooser({ engines, examples, puzzle, engine }) {
  const again = (/** @type {string} */ p, /** @type {string} */ name) => go(`/watch?${new URLSearchParams({ p, engine: name })}`);
  const known = engines.some((each) => each.name === engine);
  const groups = GROUPS.map(([kind, label]) => h("optgroup", { label },
    engines.filter((each) => each.kind === kind).map((each) => h("option", { value: each.name, selected: each.name === engine, title: each.summary }, each.name))));
  const select = h("select", { id: "engine", onchange: () => again(puzzle, select.value) },
    known ? null : h("option", { value: engine, selected: true }, engine), groups);
  const example = examples.find((each) => each.puzzle === puzzle);
  const choose = h("select", { id: "puzzle", onchange: () => choose.value && again(choose.value, engine) },
    example ? null : h("option", { value: "", selected: true }, "this puzzle"),
    examples.map((each) => h("option", { value: each.puzzle, selected: each === example }, each.name)));
  const field = h("input", { type: "text", id: "paste", placeholder: "81 characters, dots for blanks", autocomplete: "off", spellcheck: "false" });
  const paste = h("form", { class: "row paste", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); if (field.value.trim()) again(field.value.trim(), engine); } },
    h("label", { for: "paste" }, "or paste"), field, h("button", { type: "submit" }, "Watch it"));
  const summary = engines.find((each) => each.name === engine)?.summary ?? "";
  return h("div", { class: "card chooser" },
    h("div", { class: "row" }, h("label", { for: "engine" }, "Engine"), select, h("label", { for: "puzzle" }, "Puzzle"), choose, paste),
    h("p", { class: "muted about" }, summary));
}

/**
 * @param {HTMLElement} place
 * @param {HTMLElement} status
 * @param {{puzzle: string, engine: string, limit: string, at: number, signal: AbortSignal}} what
 */
async function stream(place, status, { puzzle, engine, limit, at, signal }) {
  /** @type {Player | undefined} */
  let player;
  let hidden = document.hidden;
  document.addEventListener("visibilitychange", () => { hidden = true; }, { signal, once: true });
  const started = performance.now();
  const query = new URLSearchParams(limit ? { puzzle, engine, limit } : { puzzle, engine });
  try {
    await events(`/watch?${query}`, (data, name) => {
      if (name === "progress") {
        const seconds = ((performance.now() - started) / 1000).toFixed(0);
        status.textContent = `${engine} is searching: ${Number(data.choices).toLocaleString("en")} steps, ${seconds} s`;
      } else if (name === "header") {
        player = new Player(place, data, { at, signal });
      } else if (name === "events") player?.add(data);
      else if (name === "refused") throw new Error(data.detail);
      else if (name === "done") player?.end(status);
    }, signal);
  } catch (error) {
    if (isAbort(error) || signal.aborted) return;
    // The server does not wait for ever: what was cut off in a hidden tab is asked for again.
    if (hidden && !(error instanceof Refusal)) {
      await visible(signal);
      return stream(place, status, { puzzle, engine, limit, at, signal });
    }
    status.className = "status bad";
    status.textContent = error instanceof Error ? error.message : String(error);
  }
}

class Player {
  /**
   * @param {HTMLElement} place
   * @param {import("../lib/trace.js").Header} header
   * @param {{at: number, signal: AbortSignal}} options
   */
  constructor(place, header, { at, signal }) {
    this.tape = new Tape(header);
    this.wanted = at;
    this.board = new Board(this.tape.side, { label: `Board, watched: ${header.engine}` });
    this.candidates = WITH_CANDIDATES.has(header.kind) && this.tape.side <= 16;
    const toggle = h("input", { type: "checkbox", id: "candidates", checked: this.candidates,
      onchange: () => { this.candidates = toggle.checked; this.draw(); } });
    this.pane = new Pane(header, { signal, onPick: (position) => { this.timeline.pause(); this.timeline.move(position); } });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.noted = undefined;
    this.timeline = new Timeline({ signal, speed: 10, describe: (position) => `event ${position} of ${this.tape.events.length}`,
      onMove: (position) => this.moved(position) });
    replace(place, h("div", { class: "board-side" }, this.board.element,
      h("div", { class: "row muted" }, h("label", { class: "row", for: "candidates" }, toggle, "show candidates"),
        header.solution ? h("span", { class: "key" }, h("span", { class: "key-wrong" }, "dotted"), ": not in the solution") : null)),
    this.pane.now, h("div", { class: "pane" }, this.pane.element), this.timeline.element);
    place.dataset.engine = header.engine;
    this.draw();
  }

  /** @param {import("../lib/trace.js").TraceEvent[]} events */
  add(events) {
    this.tape.events.push(...events);
    this.pane.add(events);
    this.timeline.setLength(this.tape.events.length);
    if (this.wanted > this.tape.position && this.wanted <= this.tape.events.length) this.timeline.move(this.wanted);
  }

  /** @param {HTMLElement} status */
  end(status) {
    const { capped, engine } = this.tape.header;
    const end = this.tape.events.at(-1)?.end;
    const count = this.tape.events.length.toLocaleString("en");
    const nodes = end?.nodes ? ` ${end.nodes.toLocaleString("en")} nodes,` : "";
    status.textContent = `${engine}:${nodes} ${count} events${capped ? ", the deepest left out" : ""}${end && end.found === 0 ? `; ended ${end.end}, nothing found` : ""}.`;
    status.parentElement?.setAttribute("data-done", engine);
    this.draw();
  }

  /** @param {number} position */
  moved(position) {
    this.tape.goTo(position);
    this.draw();
    if (!this.timeline.playing) say(sentence(this.tape.last(), this.pane.rows.labels));
    // Addresses are noted when the hand is still: browsers bear few changes a second.
    clearTimeout(this.noted);
    this.noted = setTimeout(() => note({ at: position }), 250);
  }

  draw() {
    this.board.show(this.tape.views({ candidates: this.candidates }));
    this.pane.show(this.tape);
  }
}

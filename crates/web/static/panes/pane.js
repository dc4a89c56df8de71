// @ts-check
/**
 * The pane beside the board: what happens now in a sentence, what has been
 * counted, and a list of everything so far in the way of its formulation.
 */
import { h, replace } from "../lib/dom.js";
import { sentence } from "../lib/trace.js";
import { chartRow, heads, talkers } from "./chart.js";
import { VirtualList } from "./list.js";
import { ROW, treeRow } from "./tree.js";
import { Rows } from "./rows.js";

/** What each kind of pane is called, and says when it is empty. @type {Record<string, [string, string]>} */
const KINDS = {
  search: ["Search tree", "Choices open nodes; ✗ marks those taken back, ⤺ a jump with its conflict set."],
  sat: ["Decisions and learnt clauses", "A decision opens a level; ∨ marks a learnt clause and what it strikes."],
  htn: ["Decomposition", "Tasks unfold into subtasks; an action writes a digit."],
  strips: ["Plan", "Each action with the facts it needs, lit on the board."],
  robots: ["Messages", "Robots ask the table, the table answers and tells the others."],
  people: ["Steps", "Each step in words, its causes ringed on the board."],
  answer: ["Answer", "This engine tells its answer and not its steps."],
};

export class Pane {
  /**
   * @param {import("../lib/trace.js").Header} header
   * @param {{signal: AbortSignal, onPick: (position: number) => void}} options
   */
  constructor(header, { signal, onPick }) {
    this.header = header;
    this.rows = new Rows();
    this.position = 0;
    /** @type {string[]} */
    this.names = [];
    this.counted = 0;
    this.counts = { nodes: 0, failed: 0, jumps: 0, learnt: 0, messages: 0, skipped: 0 };
    const [title, hint] = KINDS[header.kind] ?? KINDS.answer;
    this.list = new VirtualList({ label: title, height: ROW, signal, draw: (nth) => this.#row(nth), onPick: (nth) => onPick(this.rows.all[nth].n) });
    this.now = h("p", { class: "sentence" });
    this.numbers = h("dl", { class: "numbers" });
    this.heads = h("div", {});
    this.piles = h("div", { class: "piles", role: "img" });
    this.piles.hidden = header.kind !== "robots";
    this.element = h("section", { class: `card watch-pane ${header.kind}`, "aria-label": title },
      h("h2", {}, title), h("p", { class: "muted hint" }, hint), this.numbers, this.piles, this.heads, this.list.element);
  }

  /** @param {import("../lib/trace.js").TraceEvent[]} events  those that are new */
  add(events) {
    this.rows.add(events);
    if (this.header.kind === "robots") {
      const names = talkers(events);
      if (names.some((name) => !this.names.includes(name))) {
        this.names = talkers([...this.names.map((name) => ({ n: 0, message: { from: name, to: name, kind: "" } })), ...events]);
        replace(this.heads, heads(this.names));
      }
    }
  }

  /** Shows the place the tape is at. @param {import("../lib/trace.js").Tape} tape */
  show(tape) {
    this.position = tape.position;
    const event = tape.last();
    replace(this.now, sentence(event, this.rows.labels));
    this.now.className = `sentence ${event?.close?.why || event?.jump ? "bad" : event?.end?.found ? "good" : ""}`;
    this.#count(tape);
    if (this.header.kind === "robots") this.#showPiles(tape);
    this.list.show(this.rows.count(tape.position));
  }

  /** @param {import("../lib/trace.js").Tape} tape */
  #count(tape) {
    if (tape.position < this.counted) {
      this.counted = 0;
      this.counts = { nodes: 0, failed: 0, jumps: 0, learnt: 0, messages: 0, skipped: 0 };
    }
    const { counts } = this;
    for (; this.counted < tape.position; this.counted++) {
      const event = tape.events[this.counted];
      if (event.open) counts.nodes++;
      if (event.close && (event.close.why || event.undo)) counts.failed++;
      if (event.jump) counts.jumps++;
      if (event.learn) counts.learnt++;
      if (event.message) counts.messages++;
      if (event.skip) counts.skipped += event.skip;
    }
    const blanks = [...this.header.puzzle].filter((symbol) => !/[1-9A-Za-z]/.test(symbol)).length;
    const pair = (/** @type {string} */ name, /** @type {string | number} */ value) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)));
    replace(this.numbers, pair("digits placed", `${tape.count()} of ${blanks}`), ...[["nodes", counts.nodes], ["taken back", counts.failed], ["jumps", counts.jumps],
      ["learnt", counts.learnt], ["messages", counts.messages], ["left out", counts.skipped]]
      .filter(([, value]) => Number(value) > 0).map(([name, value]) => pair(String(name), Number(value).toLocaleString("en"))));
  }

  /** @param {import("../lib/trace.js").Tape} tape */
  #showPiles(tape) {
    const piles = tape.piles();
    this.piles.setAttribute("aria-label", `Boxes on the piles: ${piles.map((count, nth) => `${tape.symbols[nth]}: ${count}`).join(", ")}`);
    replace(this.piles, piles.map((count, nth) => h("span", { class: "pile" }, h("b", {}, tape.symbols[nth]), h("i", {}, "■".repeat(Math.max(0, count))))));
  }

  /** @param {number} nth */
  #row(nth) {
    const row = this.rows.all[nth];
    return this.header.kind === "robots" && this.names.length > 0 ? chartRow(row, this.names, this.position) : treeRow(row, this.position);
  }
}

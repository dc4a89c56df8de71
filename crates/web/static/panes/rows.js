// @ts-check
/**
 * Events as rows of a pane: nodes with what belongs to them indented below.
 *
 * Rows are in the order of their events, so what is there after `n` events is
 * a prefix of them, and a list of any length is drawn only where it is seen.
 */

/**
 * @typedef {object} Row
 * @property {number} n  the event that brings it
 * @property {"node" | "jump" | "learn" | "message" | "note" | "skip" | "end"} kind
 * @property {number} depth
 * @property {string} text
 * @property {number} [closed]  the event that closes the node
 * @property {string} [why]  why it was taken back
 * @property {boolean} [undone]  closing took back what was done inside
 * @property {{from: string, to: string, kind: string, about?: string}} [message]
 */

export class Rows {
  constructor() {
    /** @type {Row[]} */
    this.all = [];
    /** Open nodes, with their rows. @type {Map<number, Row>} */
    this.open = new Map();
    /** Labels of nodes. @type {Map<number, string>} */
    this.labels = new Map([[0, "the root"]]);
    this.depth = 0;
    this.deepest = 0;
  }

  /** Takes more events. @param {import("../lib/trace.js").TraceEvent[]} events */
  add(events) {
    for (const event of events) this.#add(event);
  }

  /** How many rows there are after so many events. @param {number} position */
  count(position) {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.all[middle].n <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @param {import("../lib/trace.js").TraceEvent} event */
  #add(event) {
    const { n, open, close, jump, learn, message, note, skip, end } = event;
    if (open) {
      const row = this.#push({ n, kind: "node", depth: this.depth, text: open.label });
      this.open.set(open.node, row);
      this.labels.set(open.node, open.label);
      this.depth++;
      this.deepest = Math.max(this.deepest, this.depth);
    } else if (close) {
      const row = this.open.get(close.node);
      if (row) Object.assign(row, { closed: n, why: close.why, undone: event.undo !== undefined || close.why !== undefined });
      this.open.delete(close.node);
      this.depth = Math.max(0, this.depth - 1);
    } else if (jump) {
      const because = jump.because.length > 0 ? `: ${jump.because.join(", ")} cannot all stay` : "";
      this.#push({ n, kind: "jump", depth: this.depth, text: `jump back to ${this.labels.get(jump.to) ?? "the root"}${because}` });
    } else if (learn) this.#push({ n, kind: "learn", depth: this.depth, text: learn.join(" or ") });
    else if (message) this.#push({ n, kind: "message", depth: 0, text: `${message.from} to ${message.to}: ${message.kind}`, message });
    else if (note !== undefined) this.#push({ n, kind: "note", depth: this.depth, text: note });
    else if (skip) this.#push({ n, kind: "skip", depth: this.depth, text: `${skip.toLocaleString("en")} deeper events left out` });
    else if (end) this.#push({ n, kind: "end", depth: 0, text: end.found > 0 ? "solved, and verified" : `${end.end}: nothing found` });
  }

  /** @param {Row} row */
  #push(row) {
    this.all.push(row);
    return row;
  }
}

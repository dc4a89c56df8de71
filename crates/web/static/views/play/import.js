// @ts-check
/** Other puzzles: pasted, dropped or made, and told at once how many solutions they have. */
import { get, isAbort, post } from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { go, to } from "../../lib/url.js";

/** Bytes of a file that are read. */
const MOST = 900_000;
/** Characters of it that are shown in the field. */
const SHOWN = 20_000;

/**
 * @param {AbortSignal} signal
 */
export function importPanel(signal) {
  const out = h("div", { class: "found", role: "status" });
  const area = h("textarea", { rows: 4, "aria-label": "Puzzles in any format", spellcheck: "false", placeholder: "Paste a puzzle: 81 characters, nine lines, a drawn grid, .sdk, .ss, CSV, pencil marks …",
    oninput: () => later() });
  let timer = 0;
  /** @type {AbortController | undefined} */
  let asking;
  const later = () => { clearTimeout(timer); timer = setTimeout(() => void read(area.value), 150); };
  signal.addEventListener("abort", () => { clearTimeout(timer); asking?.abort(); });

  /** @param {string} whole */
  async function read(whole) {
    asking?.abort();
    if (!whole.trim()) return replace(out);
    asking = new AbortController();
    // What is too long is read up to the end of a line.
    const text = whole.length > MOST ? whole.slice(0, whole.lastIndexOf("\n", MOST) + 1 || MOST) : whole;
    const cut = text.length < whole.length ? h("p", { class: "muted" }, `The text is too long; its first ${Math.round(text.length / 1000)} kB were read.`) : null;
    try {
      const found = await post("/read", { text }, asking.signal);
      replace(out, cut, ...verdicts(found));
    } catch (error) {
      if (!isAbort(error)) replace(out, h("p", { class: "bad" }, String(error instanceof Error ? error.message : error)));
    }
  }

  // Paste and drop anywhere on the page.
  addEventListener("paste", (event) => {
    if (event.target instanceof Element && event.target.closest("textarea, input")) return;
    take(event.clipboardData?.getData("text/plain") ?? "");
  }, { signal });
  addEventListener("dragover", (event) => event.preventDefault(), { signal });
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    take(file ? await file.slice(0, 2 * MOST).text() : event.dataTransfer?.getData("text/plain") ?? "");
  }, { signal });

  /** @param {string} text */
  function take(text) {
    if (!text.trim()) return;
    panel.open = true;
    area.value = text.slice(0, SHOWN);
    void read(text);
  }

  const file = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true", onchange: async () => take((await file.files?.[0]?.slice(0, 2 * MOST).text()) ?? "") });
  const level = h("select", { "aria-label": "Level" }, ["easy", "medium", "hard", "crazy"].map((name) => h("option", { selected: name === "medium" }, name)));
  const size = h("select", { "aria-label": "Size" }, [4, 6, 9].map((side) => h("option", { value: side, selected: side === 9 }, `${side}×${side}`)));
  const make = async () => {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    try {
      const made = await post("/generate", { level: level.value, size: Number(size.value), seed }, signal);
      go(`/play?p=${made.puzzle}`);
    } catch (error) {
      if (!isAbort(error)) replace(out, h("p", { class: "bad" }, String(error instanceof Error ? error.message : error)));
    }
  };
  const built = h("div", { class: "row" });
  void get("/examples", signal).then((/** @type {any[]} */ list) => replace(built, h("span", { class: "muted" }, "Built in:"),
    list.map((each) => h("a", { href: to(`/play?p=${each.puzzle}`) }, each.name)))).catch(() => {});
  const panel = h("details", { class: "card import" }, h("summary", {}, "Another puzzle"),
    h("div", { class: "stack" },
      h("div", { class: "row" }, level, size, h("button", { type: "button", onclick: () => void make() }, "Make one"),
        h("button", { type: "button", onclick: () => file.click() }, "Open a file"), file),
      area, out, built));
  return panel;
}

/** @param {any} found */
function verdicts(found) {
  const WORDS = { one: ["good", "✓ one solution"], none: ["bad", "✗ no solution"], many: ["bad", "≠ many solutions"], unknown: ["muted", "? not decided in time"] };
  const list = found.puzzles.map((/** @type {any} */ each) => {
    const [tone, words] = /** @type {[string, string]} */ (WORDS[/** @type {keyof typeof WORDS} */ (each.solutions)]);
    const count = each.solutions === "many" ? ` (${each.count >= 100 ? "100 or more" : each.count})` : "";
    const position = each.position ? `&e=${each.position}` : "";
    const marks = each.marks ? `&m=${each.marks.join(".")}` : "";
    return h("li", {}, h("b", { class: tone }, `${words}${count}`), ` ${each.side}×${each.side}, `, `${[...each.puzzle].filter((symbol) => symbol !== ".").length} clues `,
      each.why ? h("span", { class: "muted" }, each.why) : null, " ", h("a", { class: "button", href: to(`/play?p=${each.puzzle}${position}${marks}`) }, "Play"));
  });
  const mistakes = found.mistakes.map((/** @type {any} */ each) => h("li", { class: "bad" }, `line ${each.line}, column ${each.column}: ${each.message}`));
  if (list.length + mistakes.length === 0) return [h("p", { class: "bad" }, "There is no puzzle in this text.")];
  return [h("ul", { class: "puzzles" }, list, mistakes), found.more ? h("p", { class: "muted" }, "… and more than is shown.") : null];
}

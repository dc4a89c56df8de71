// @ts-check
/**
 * A comparison, drawn: who agrees, how fast, on what; any engine selectable.
 * The same file draws the page of `planoku compare -o` and the view `/compare`.
 */
import { Board } from "../lib/board.js";
import { h, replace, s } from "../lib/dom.js";
import { sideOf, symbolAt } from "../lib/puzzle.js";
import { cactus, mark, scatter, showCount, showTime, spread } from "./charts.js";
import { madeBy } from "./made.js";

/**
 * @typedef {{engine: number, puzzle: number, claim: string, nodes: number, seconds: number, solution: string | null}} Result
 * @typedef {{made: any, engines: string[], puzzles: string[], results: Result[], order: number[], budget: string, rounds: number, cut_short: boolean,
 *   disagreements: {puzzle: number, sides: {says: string, names: string[]}[]}[]}} Comparison
 */

/** So many engines are chosen to begin with. */
const FIRST = 8;

/**
 * @param {HTMLElement} root
 * @param {Comparison} data
 */
export function showComparison(root, data) {
  const decided = (/** @type {Result} */ result) => result.claim === "solved" || result.claim === "no solution";
  /** Engines that are shown, in the order of their speed. @type {Set<number>} */
  const chosen = new Set(data.order.slice(0, FIRST));
  const of = (/** @type {number} */ engine) => data.results.filter((result) => result.engine === engine);
  const series = (/** @type {number} */ engine) => data.order.indexOf(engine);
  const charts = h("div", { class: "charts" });
  const versus = h("div", { class: "versus" });
  const [first, second] = [pick("Across", data.order[0]), pick("Up", data.order[Math.min(1, data.order.length - 1)])];

  /** @param {string} label @param {number} engine */
  function pick(label, engine) {
    return h("select", { "aria-label": label, onchange: () => drawVersus() }, data.order.map((each) => h("option", { value: each, selected: each === engine }, data.engines[each])));
  }

  function draw() {
    const shown = data.order.filter((engine) => chosen.has(engine));
    const legend = h("ul", { class: "legend" }, shown.map((engine) => h("li", {}, s("svg", { viewBox: "-8 -8 16 16", width: 16, height: 16, "aria-hidden": "true" }, mark(0, 0, series(engine), "")), data.engines[engine])));
    replace(charts,
      h("figure", {}, h("figcaption", {}, h("b", {}, "Puzzles decided against time. "), "The further left and the higher, the better."),
        cactus({ lines: shown.map((engine) => ({ name: data.engines[engine], series: series(engine), values: of(engine).filter(decided).map((result) => result.seconds) })),
          x: "time for one puzzle", y: "puzzles decided", label: "Puzzles decided within a given time, one line for each engine", show: showTime }), legend),
      h("figure", {}, h("figcaption", {}, h("b", {}, "Spread of times. "), "Thin: fastest to slowest puzzle. Thick: the middle half. Tick: the median."),
        spread({ rows: shown.map((engine) => ({ name: data.engines[engine], series: series(engine), five: five(of(engine).map((result) => result.seconds)) })),
          x: "time for one puzzle", label: "Least, quartiles and most of the times of each engine", show: showTime })));
  }

  function drawVersus() {
    const [a, b] = [Number(first.value), Number(second.value)];
    const points = data.puzzles.flatMap((puzzle, nth) => {
      const [mine, theirs] = [a, b].map((engine) => data.results.find((result) => result.engine === engine && result.puzzle === nth));
      return mine && theirs ? [{ x: mine.seconds, y: theirs.seconds, series: decided(mine) && decided(theirs) ? 0 : 6, label: `puzzle ${nth + 1}: ${showTime(mine.seconds)}, ${showTime(theirs.seconds)}` }] : [];
    });
    replace(versus, scatter({ points, x: data.engines[a], y: data.engines[b], diagonal: true, show: showTime, label: `Time of ${data.engines[b]} against ${data.engines[a]}, one mark for each puzzle` }));
  }

  const boxes = data.order.map((engine) => {
    const box = h("input", { type: "checkbox", checked: chosen.has(engine), onchange: () => { if (box.checked) chosen.add(engine); else chosen.delete(engine); draw(); } });
    return h("label", {}, box, data.engines[engine]);
  });
  const set = (/** @type {(nth: number) => boolean} */ test) => data.order.forEach((engine, nth) => {
    const box = /** @type {HTMLInputElement} */ (boxes[nth].firstChild);
    box.checked = test(nth);
    if (box.checked) chosen.add(engine); else chosen.delete(engine);
  });

  const alike = data.disagreements.length === 0;
  replace(root,
    h("section", { class: "card" },
      h("h1", {}, `The same ${data.puzzles.length === 1 ? "puzzle" : `${data.puzzles.length} puzzles`}, ${data.engines.length} ${data.engines.length === 1 ? "engine" : "engines"}`),
      h("p", { class: alike ? "verdict good" : "verdict bad" }, alike ? "✓ All engines agree on every puzzle they decided; every solution was verified."
        : `✗ Engines disagree on ${data.disagreements.length} of ${data.puzzles.length} puzzles.`),
      data.disagreements.map((each) => h("div", {}, h("code", {}, data.puzzles[each.puzzle]), h("ul", {}, each.sides.map((side) => h("li", {}, `${side.names.join(", ")}: ${side.says}`))))),
      h("p", { class: "muted" }, `${data.rounds} interleaved rounds, ${data.budget}. ${data.cut_short ? "Stopped early: what was measured until then is shown. " : ""}`, madeBy(data.made))),
    h("section", { class: "card" },
      h("details", { class: "chooser" }, h("summary", {}, "Which engines?"),
        h("div", { class: "row" }, h("button", { type: "button", onclick: () => { set((nth) => nth < FIRST); draw(); } }, "Fastest"), h("button", { type: "button", onclick: () => { set(() => true); draw(); } }, "All"),
          h("button", { type: "button", onclick: () => { set(() => false); draw(); } }, "None")),
        h("div", { class: "boxes" }, boxes)),
      charts),
    h("section", { class: "card" }, h("h2", {}, "One against the other"), h("div", { class: "row" }, first, "across,", second, "up"), versus,
      h("p", { class: "muted" }, "Each mark is a puzzle; on the line both take as long. A cross: one of them did not decide it.")),
    puzzleCard(data, decided),
    h("details", { class: "card" }, h("summary", {}, "The table: every engine"), h("div", { class: "scroll" }, table(data, decided))));
  draw();
  drawVersus();
}

/** The puzzle drawn, with who took how long. @param {Comparison} data @param {(result: Result) => boolean} decided */
function puzzleCard(data, decided) {
  const place = h("div", { class: "puzzle-halves" });
  const choose = h("select", { "aria-label": "Puzzle", onchange: () => show(Number(choose.value)) }, data.puzzles.map((_, nth) => h("option", { value: nth }, `Puzzle ${nth + 1}`)));
  /** @param {number} nth */
  function show(nth) {
    const puzzle = data.puzzles[nth];
    const mine = data.results.filter((result) => result.puzzle === nth);
    const solution = mine.find((result) => result.solution)?.solution ?? "";
    const board = new Board(sideOf(puzzle), { label: `Puzzle ${nth + 1} and its solution` });
    board.show(Array.from(puzzle, (_, cell) => ({ digit: symbolAt(puzzle, cell) || symbolAt(solution, cell), given: symbolAt(puzzle, cell) !== "" })));
    const rows = mine.sort((a, b) => Number(decided(b)) - Number(decided(a)) || a.seconds - b.seconds).map((result) => h("tr", {}, h("th", { scope: "row" }, data.engines[result.engine]),
      h("td", {}, result.claim), h("td", { class: "number" }, showTime(result.seconds)), h("td", { class: "number" }, showCount(result.nodes))));
    replace(place, board.element, h("div", { class: "scroll tall", tabindex: 0, role: "group", "aria-label": "Results on this puzzle" }, h("table", {}, h("thead", {}, h("tr", {}, ["engine", "says", "time", "nodes"].map((head, at) => h("th", { scope: "col", class: at > 1 ? "number" : "" }, head)))), h("tbody", {}, rows))));
  }
  show(0);
  return h("section", { class: "card" }, h("h2", {}, "Puzzle by puzzle"), choose, place);
}

/** @param {Comparison} data @param {(result: Result) => boolean} decided */
function table(data, decided) {
  const rows = data.order.map((engine) => {
    const mine = data.results.filter((result) => result.engine === engine);
    const count = (/** @type {string} */ claim) => mine.filter((result) => result.claim === claim).length || "·";
    const [least, lower, median, upper, most] = five(mine.map((result) => result.seconds));
    const nodes = five(mine.map((result) => result.nodes))[2];
    return h("tr", {}, h("th", { scope: "row" }, data.engines[engine]), [count("solved"), count("no solution"), mine.filter((result) => !decided(result)).length || "·",
      showTime(median), `${showTime(lower)} – ${showTime(upper)}`, showTime(most), showCount(nodes)].map((cell) => h("td", { class: "number" }, cell)));
  });
  const heads = ["engine", "solved", "proved none", "not decided", "median time", "middle half", "slowest", "median nodes"];
  return h("table", {}, h("thead", {}, h("tr", {}, heads.map((head, at) => h("th", { scope: "col", class: at > 0 ? "number" : "" }, head)))), h("tbody", {}, rows));
}

/** Least, quartiles, most. @param {number[]} values */
export function five(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return [0, 1, 2, 3, 4].map((part) => sorted[Math.floor(((sorted.length - 1) * part) / 4)] ?? 0);
}

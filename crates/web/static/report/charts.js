// @ts-check
/**
 * Charts on logarithmic axes: scatter (theirs against ours), cactus (how many
 * are done after how long), spread (least, quartiles, most).
 *
 * A series is told apart by colour and by the shape of its marks. A title says
 * what each mark is; the table with the figures is never far.
 */
import { s } from "../lib/dom.js";

// A chart is scaled to its place: on a narrow screen it is drawn smaller, so that words stay readable.
const SMALL = innerWidth < 640;
const [WIDE, HIGH, LEFT, BOTTOM, TOP, RIGHT] = SMALL ? [400, 320, 76, 50, 12, 14] : [720, 420, 74, 54, 14, 18];

/** @typedef {{x: number, y: number, label: string, series: number}} Point */

/** How many colours there are; shapes change with them. */
export const SERIES = 8;

/**
 * @param {object} options
 * @param {Point[]} options.points
 * @param {string} options.x
 * @param {string} options.y
 * @param {string} options.label
 * @param {(value: number) => string} options.show
 * @param {boolean} [options.diagonal]  draws where both are equal
 */
export function scatter({ points, x, y, label, show, diagonal = false }) {
  const good = points.filter((point) => point.x > 0 && point.y > 0);
  const values = good.flatMap((point) => [point.x, point.y]);
  const both = range(values);
  const across = diagonal ? both : range(good.map((point) => point.x));
  const up = diagonal ? both : range(good.map((point) => point.y));
  const [px, py] = scales(across, up);
  return frame(label, axes(across, up, px, py, x, y, show),
    diagonal ? s("path", { class: "diagonal", d: `M${px(both[0])} ${py(both[0])}L${px(both[1])} ${py(both[1])}` }) : null,
    good.map((point) => mark(px(point.x), py(point.y), point.series, point.label)));
}

/**
 * @param {object} options
 * @param {{name: string, values: number[], series: number}[]} options.lines
 * @param {string} options.x
 * @param {string} options.y
 * @param {string} options.label
 * @param {(value: number) => string} options.show
 */
export function cactus({ lines, x, y, label, show }) {
  const across = range(lines.flatMap((line) => line.values.filter((value) => value > 0)));
  const most = Math.max(1, ...lines.map((line) => line.values.length));
  const px = scales(across, [1, 10])[0];
  const py = (/** @type {number} */ count) => HIGH - BOTTOM - ((HIGH - BOTTOM - TOP) * count) / most;
  const step = Math.ceil(most / 5);
  const rows = Array.from({ length: Math.floor(most / step) + 1 }, (_, nth) => nth * step);
  const grid = rows.map((count) => s("g", {}, s("path", { class: "grid", d: `M${LEFT} ${py(count)}H${WIDE - RIGHT}` }),
    s("text", { class: "tick end", x: LEFT - 8, y: py(count) + 4 }, String(count))));
  return frame(label, axes(across, null, px, py, x, y, show), grid, lines.map((line) => {
    const values = line.values.filter((value) => value > 0).sort((a, b) => a - b);
    let d = "";
    values.forEach((value, nth) => (d += nth === 0 ? `M${px(value)} ${py(nth)}V${py(nth + 1)}` : `H${px(value)}V${py(nth + 1)}`));
    const last = values.at(-1);
    return s("g", { class: `series s${line.series % SERIES}` }, s("path", { class: "line", d }, s("title", {}, line.name)),
      last ? mark(px(last), py(values.length), line.series, `${line.name}: ${values.length} within ${show(last)}`) : null);
  }));
}

/**
 * @param {object} options
 * @param {{name: string, five: number[], series: number}[]} options.rows  least, quartiles, most
 * @param {string} options.x
 * @param {string} options.label
 * @param {(value: number) => string} options.show
 */
export function spread({ rows, x, label, show }) {
  const left = SMALL ? 118 : 150, step = 26, high = rows.length * step + BOTTOM + TOP;
  const across = range(rows.flatMap((row) => row.five));
  const px = (/** @type {number} */ value) => left + ((WIDE - left - RIGHT) * Math.log(Math.max(value, across[0]) / across[0])) / Math.log(across[1] / across[0]);
  const lines = ticks(across).map((tick) => s("g", {}, s("path", { class: "grid", d: `M${px(tick)} ${TOP}V${high - BOTTOM}` }),
    s("text", { class: "tick middle", x: px(tick), y: high - BOTTOM + 18 }, show(tick))));
  return s("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${high}`, role: "img", "aria-label": label }, lines,
    s("text", { class: "axis middle", x: (left + WIDE) / 2, y: high - 10 }, x),
    rows.map((row, nth) => {
      const y = TOP + (nth + 0.5) * step;
      const [least, lower, median, upper, most] = row.five.map(px);
      return s("g", { class: `series s${row.series % SERIES}` }, s("title", {}, `${row.name}: median ${show(row.five[2])}, from ${show(row.five[0])} to ${show(row.five[4])}`),
        s("text", { class: "tick end name", x: left - 8, y: y + 4 }, row.name),
        s("path", { class: "line", d: `M${least} ${y}H${most}` }),
        s("rect", { class: "box", x: lower, y: y - 6, width: Math.max(2, upper - lower), height: 12, rx: 2 }),
        s("path", { class: "median", d: `M${median} ${y - 9}V${y + 9}` }));
    }));
}

/** A mark of a series: its colour and its shape. @param {number} x @param {number} y @param {number} series @param {string} title */
export function mark(x, y, series, title) {
  const shapes = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", "M-4.5-4.5h9v9h-9z", "M0-6L6 5H-6z", "M0-6.5L6.5 0L0 6.5L-6.5 0z",
    "M-6-2H-2V-6H2V-2H6V2H2V6H-2V2H-6z", "M0 6L6-5H-6z", "M-5.5-5.5L5.5 5.5M5.5-5.5L-5.5 5.5", "M-6 0H6M0-6V6"];
  const open = series % SERIES >= 6 ? " open" : "";
  return s("path", { class: `mark s${series % SERIES}${open}`, transform: `translate(${x} ${y})`, d: shapes[series % SERIES] }, s("title", {}, title));
}

/** `340 ns`, `12 µs`, `1.5 s`. @param {number} seconds */
export function showTime(seconds) {
  const [value, unit] = seconds >= 1 ? [seconds, "s"] : seconds >= 1e-3 ? [seconds * 1e3, "ms"] : seconds >= 1e-6 ? [seconds * 1e6, "µs"] : [seconds * 1e9, "ns"];
  return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(2))} ${unit}`;
}

/** `950`, `12k`, `4.3M`. @param {number} count */
export function showCount(count) {
  if (count >= 1e6) return `${Number((count / 1e6).toPrecision(2))}M`;
  return count >= 1e4 ? `${Math.round(count / 1e3)}k` : String(Math.round(count * 10) / 10);
}

/** @param {string} label @param {...any} parts */
function frame(label, ...parts) {
  return s("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label }, ...parts);
}

/** @param {[number, number]} across @param {[number, number]} up @returns {[(value: number) => number, (value: number) => number]} */
function scales(across, up) {
  const log = (/** @type {[number, number]} */ [least, most], /** @type {number} */ value) => Math.log(value / least) / Math.log(most / least);
  return [(value) => LEFT + (WIDE - LEFT - RIGHT) * log(across, value), (value) => HIGH - BOTTOM - (HIGH - BOTTOM - TOP) * log(up, value)];
}

/**
 * @param {[number, number]} across
 * @param {[number, number] | null} up
 * @param {(value: number) => number} px
 * @param {(value: number) => number} py
 * @param {string} x
 * @param {string} y
 * @param {(value: number) => string} show
 */
function axes(across, up, px, py, x, y, show) {
  const below = ticks(across).map((tick) => s("g", {}, s("path", { class: "grid", d: `M${px(tick)} ${TOP}V${HIGH - BOTTOM}` }),
    s("text", { class: "tick middle", x: px(tick), y: HIGH - BOTTOM + 18 }, show(tick))));
  const beside = up ? ticks(up).map((tick) => s("g", {}, s("path", { class: "grid", d: `M${LEFT} ${py(tick)}H${WIDE - RIGHT}` }),
    s("text", { class: "tick end", x: LEFT - 8, y: py(tick) + 4 }, show(tick)))) : [];
  return s("g", { class: "axes" }, below, beside,
    s("path", { class: "border", d: `M${LEFT} ${TOP}V${HIGH - BOTTOM}H${WIDE - RIGHT}` }),
    s("text", { class: "axis middle", x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 10 }, x),
    s("text", { class: "axis middle", transform: `translate(14 ${(HIGH - BOTTOM + TOP) / 2}) rotate(-90)` }, y));
}

/** A range that holds everything, with a little air. @param {number[]} values @returns {[number, number]} */
function range(values) {
  const least = Math.min(...values), most = Math.max(...values);
  if (!Number.isFinite(least)) return [1, 10];
  return [least / 1.4, Math.max(most * 1.4, least * 10)];
}

/** Powers of ten; with 2 and 5 where they are few, every other where they are many. @param {[number, number]} range */
function ticks([least, most]) {
  const decades = Math.log10(most / least);
  const parts = decades < 1.5 ? [1, 2, 5] : [1];
  const found = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most); power++) {
    if (decades > 7 && power % 2) continue;
    for (const part of parts) {
      const value = part * 10 ** power;
      if (value >= least && value <= most) found.push(value);
    }
  }
  return found;
}

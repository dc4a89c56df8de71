// @ts-check
/** From places as the service counts them (lines and characters from 1) to offsets of a text, and edits. */

/**
 * @typedef {{line: number, column: number, end_line: number, end_column: number}} Place
 */

/**
 * The offset of a line and a column.
 * @param {string} text
 * @param {number} line
 * @param {number} column
 */
export function offsetOf(text, line, column) {
  let at = 0;
  for (let nth = 1; nth < line; nth++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  // Columns count characters, offsets UTF-16 units.
  for (let nth = 1; nth < column && at < text.length; nth++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

/**
 * @param {string} text
 * @param {Place} place
 * @returns {[number, number]}
 */
export function rangeOf(text, place) {
  return [offsetOf(text, place.line, place.column), offsetOf(text, place.end_line, place.end_column)];
}

/**
 * The text with edits made; where two overlap, the first in the text wins.
 * @param {string} text
 * @param {{place: Place, text: string}[]} edits
 */
export function applyEdits(text, edits) {
  // Line starts once, not once for each of hundreds of edits.
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = (/** @type {number} */ line, /** @type {number} */ column) => {
    const start = starts[Math.min(line, starts.length) - 1] ?? 0;
    return start + offsetOf(text.slice(start, start + 2 * column + 2), 1, column);
  };
  const list = edits.map(({ place, text: by }) => ({ start: offset(place.line, place.column), end: offset(place.end_line, place.end_column), by }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let made = "", at = 0;
  for (const { start, end, by } of list) {
    if (start < at) continue;
    made += text.slice(at, start) + by;
    at = end;
  }
  return made + text.slice(at);
}

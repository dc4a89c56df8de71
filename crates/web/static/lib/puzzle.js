// @ts-check
/** Boards as numbers: cells row by row from 0, symbols `1` to `9`, then `A` to `P`. */

const SYMBOLS = "123456789ABCDEFGHIJKLMNOP";
/** Rows and columns of a box, by side. @type {Record<number, [number, number]>} */
const BOXES = { 4: [2, 2], 6: [2, 3], 9: [3, 3], 16: [4, 4], 25: [5, 5] };

/** @param {string} text  the cells of a board, row by row */
export function sideOf(text) {
  const side = Math.sqrt(text.length);
  return BOXES[side] ? side : 9;
}

/** Whether a text is the cells of a board, row by row. @param {string} text */
export function isPuzzle(text) {
  const side = Math.sqrt(text.length);
  return side in BOXES && [...text].every((symbol) => symbol === "." || symbols(side).includes(symbol));
}

/** @param {number} side @returns {[number, number]} */
export function boxOf(side) {
  return BOXES[side] ?? [3, 3];
}

/** @param {number} side */
export function symbols(side) {
  return SYMBOLS.slice(0, side);
}

/** @param {number} side @param {number} cell */
export function rowOf(side, cell) {
  return Math.floor(cell / side);
}

/** @param {number} side @param {number} cell */
export function columnOf(side, cell) {
  return cell % side;
}

/** The box of a cell, counted from 0. @param {number} side @param {number} cell */
export function boxNumber(side, cell) {
  const [rows, columns] = boxOf(side);
  return Math.floor(rowOf(side, cell) / rows) * (side / columns) + Math.floor(columnOf(side, cell) / columns);
}

/** Whether two cells share a house. @param {number} side @param {number} a @param {number} b */
export function arePeers(side, a, b) {
  return a !== b && (rowOf(side, a) === rowOf(side, b) || columnOf(side, a) === columnOf(side, b)
    || boxNumber(side, a) === boxNumber(side, b));
}

/** Such as `r3c6`. @param {number} side @param {number} cell */
export function nameOf(side, cell) {
  return `r${rowOf(side, cell) + 1}c${columnOf(side, cell) + 1}`;
}

/** The cell of a name such as `r3c6`; -1 if it is none. @param {number} side @param {string} name */
export function cellOf(side, name) {
  const found = /^r(\d+)c(\d+)$/.exec(name);
  if (!found) return -1;
  const [row, column] = [Number(found[1]) - 1, Number(found[2]) - 1];
  return row >= 0 && row < side && column >= 0 && column < side ? row * side + column : -1;
}

/** The symbol in a cell of a text, or nothing. @param {string} text @param {number} cell */
export function symbolAt(text, cell) {
  const symbol = text[cell];
  return symbol && SYMBOLS.includes(symbol.toUpperCase()) ? symbol.toUpperCase() : "";
}

/** The symbols no peer of an empty cell holds. @param {string} text @param {number} cell */
export function candidatesOf(text, cell) {
  const side = sideOf(text);
  let left = symbols(side);
  for (let other = 0; other < text.length; other++) {
    if (arePeers(side, cell, other)) left = left.replace(symbolAt(text, other) || "-", "");
  }
  return left;
}

/** Cells that repeat a symbol of a house, with the cells they repeat. @param {string} text @returns {Set<number>} */
export function repeats(text) {
  const side = sideOf(text);
  const found = new Set();
  for (let a = 0; a < text.length; a++) {
    const symbol = symbolAt(text, a);
    if (!symbol) continue;
    for (let b = a + 1; b < text.length; b++) {
      if (symbolAt(text, b) === symbol && arePeers(side, a, b)) found.add(a).add(b);
    }
  }
  return found;
}

// @ts-check
/** What is kept over reloads, as far as the browser lets us. */
import { Game } from "./game.js";
import { isPuzzle } from "./puzzle.js";

const PREFIX = "planoku:game:";
/** So many games are kept; the oldest goes first. */
const MOST = 50;

/** @param {Game} game */
export function keep(game) {
  const list = recent().filter((puzzle) => puzzle !== game.puzzle);
  try {
    for (const old of list.splice(MOST - 1)) localStorage.removeItem(PREFIX + old);
    localStorage.setItem(PREFIX + game.puzzle, JSON.stringify(game.pack()));
    localStorage.setItem("planoku:recent", JSON.stringify([game.puzzle, ...list]));
  } catch { /* no room, or a private window: the game goes on without */ }
}

/** The game as it was left, or a new one. @param {string} puzzle */
export function recall(puzzle) {
  try {
    const packed = localStorage.getItem(PREFIX + puzzle);
    if (packed) return Game.unpack(JSON.parse(packed));
  } catch { /* what cannot be read is not there */ }
  return new Game(puzzle);
}

/**
 * Follows what another tab does to the same game.
 * @param {Game} game
 * @param {() => void} changed
 * @param {AbortSignal} signal
 */
export function follow(game, changed, signal) {
  addEventListener("storage", (event) => {
    if (event.key !== PREFIX + game.puzzle || !event.newValue) return;
    game.become(recall(game.puzzle));
    changed();
  }, { signal });
}

/** Puzzles played, the last first. @returns {string[]} */
export function recent() {
  try {
    const list = JSON.parse(localStorage.getItem("planoku:recent") ?? "[]");
    return Array.isArray(list) ? list.filter((puzzle) => typeof puzzle === "string" && isPuzzle(puzzle)) : [];
  } catch {
    return [];
  }
}

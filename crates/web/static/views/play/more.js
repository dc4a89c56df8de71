// @ts-check
/** The rest of the table: time and pause, candidates, share, print, restart. */
import { h, replace, say } from "../../lib/dom.js";
import { Board } from "../../lib/board.js";
import { bind } from "../../lib/keys.js";
import { to } from "../../lib/url.js";
import { keep } from "../../lib/store.js";

/**
 * @param {import("../play.js").Table} table
 * @param {AbortSignal} signal
 */
export function morePanel(table, signal) {
  const { game } = table;
  const clock = h("output", { class: "clock", "aria-label": "Time" });
  const solved = () => game.isFull() && game.conflicts().size === 0;
  const tick = () => {
    const seconds = Math.floor(game.seconds);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    clock.textContent = (parts[0] ? parts : parts.slice(1)).map((part, nth) => (nth ? String(part).padStart(2, "0") : String(part))).join(":");
  };
  const timer = setInterval(() => {
    if (table.paused || document.hidden || solved()) return;
    game.seconds += 1;
    tick();
    if (game.seconds % 10 === 0 && game.past.length > 0) keep(game);
  }, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  const pause = h("button", { type: "button", onclick: () => toggle() }, "Pause");
  const toggle = () => {
    table.paused = !table.paused;
    pause.textContent = table.paused ? "Go on" : "Pause";
    pause.setAttribute("aria-pressed", String(table.paused));
    say(table.paused ? "Paused; the board is hidden" : "Going on");
    table.draw();
  };
  const candidates = h("button", { type: "button", "aria-pressed": "false", onclick: () => {
    table.candidates = !table.candidates;
    candidates.setAttribute("aria-pressed", String(table.candidates));
    table.draw();
  } }, "Candidates");
  bind(signal, [
    { show: "P", what: "pause", match: (e) => e.code === "KeyP" && !e.ctrlKey && !e.metaKey && game.side < 25, run: toggle },
    { show: "K", what: "show all candidates", match: (e) => e.code === "KeyK" && !e.ctrlKey && !e.metaKey && game.side < 16, run: () => candidates.click() },
  ]);
  const told = h("p", { class: "muted", role: "status" });
  const share = async (/** @type {boolean} */ whole) => {
    const address = new URL(to("/play"), location.origin);
    address.searchParams.set("p", game.puzzle);
    if (whole) address.searchParams.set("e", game.position());
    try {
      await navigator.clipboard.writeText(address.href);
      replace(told, "Copied: ", h("a", { href: address.href }, whole ? "this position" : "this puzzle"));
    } catch {
      replace(told, h("a", { href: address.href }, address.href));
    }
  };
  const print = () => {
    const sheet = new Board(game.side, { label: "The puzzle, to print" });
    sheet.show(Array.from(game.puzzle, (_, cell) => ({ digit: game.given(cell), given: true })));
    const page = h("div", { class: "sheet" }, sheet.element, h("p", {}, "Planoku"));
    document.body.append(page);
    addEventListener("afterprint", () => page.remove(), { once: true });
    window.print();
  };
  tick();
  return h("section", { class: "card more", "aria-label": "More" },
    h("div", { class: "row" }, clock, pause, candidates,
      h("button", { type: "button", onclick: () => void share(false) }, "Share puzzle"),
      h("button", { type: "button", onclick: () => void share(true) }, "Share position"),
      h("button", { type: "button", onclick: print }, "Print"),
      h("button", { type: "button", onclick: () => { game.restart(); table.changed(); } }, "Start over")),
    told,
    h("p", { class: "onward" }, h("a", { href: to(`/watch?p=${game.puzzle}`) }, "Watch a planner solve it →")));
}

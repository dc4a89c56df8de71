// @ts-check
/** The keypad: symbols, modes, clear, undo and redo, for touch and mouse. */
import { h } from "../../lib/dom.js";
import { MODES, setMode } from "./keys.js";

/** @param {import("../play.js").Table} table */
export function keypad(table) {
  const keys = [...table.game.symbols].map((symbol) => {
    const left = h("small", { "aria-hidden": "true" });
    const button = h("button", { type: "button", "aria-label": `Enter ${symbol}`, onclick: () => table.enter(symbol) },
      h("span", {}, symbol), left);
    return { symbol, button, left };
  });
  const modes = MODES.map(([letter, mode, label]) => h("button", { type: "button", "data-mode": mode, title: `${label} (${letter})`,
    onclick: () => setMode(table, mode) }, label));
  const clear = h("button", { type: "button", "aria-label": "Clear", title: "Clear (Backspace)", onclick: () => table.clear() }, "⌫");
  const undo = h("button", { type: "button", onclick: () => table.undo() }, "Undo");
  const redo = h("button", { type: "button", onclick: () => table.redo() }, "Redo");
  const show = () => {
    const position = table.game.position();
    for (const { symbol, button, left } of keys) {
      const count = table.game.side - [...position].filter((other) => other === symbol).length;
      left.textContent = count > 0 && table.mode === "digit" ? String(count) : "";
      button.classList.toggle("spent", count <= 0 && table.mode !== "colour");
    }
    for (const button of modes) button.setAttribute("aria-pressed", String(button.dataset.mode === table.mode));
    keypadElement.dataset.mode = table.mode;
    undo.disabled = table.game.past.length === 0;
    redo.disabled = table.game.future.length === 0;
  };
  const keypadElement = h("section", { class: "card keypad", "aria-label": "Keypad" },
    h("div", { class: "modes", role: "group", "aria-label": "Mode" }, modes),
    h("div", { class: `digits side-${table.game.side}`, role: "group", "aria-label": "Digits" }, keys.map((key) => key.button), clear),
    h("div", { class: "row" }, undo, redo));
  table.listeners.add(show);
  show();
  return keypadElement;
}

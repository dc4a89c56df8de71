// @ts-check
/** Light, dark, or as the system says; kept for the next visit. */

const NAMES = /** @type {const} */ (["auto", "light", "dark"]);
const SIGNS = { auto: "◐", light: "☀", dark: "☾" };
const KEY = "planoku:theme";

/** @param {HTMLElement} button */
export function startTheme(button) {
  let name = stored();
  const apply = () => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.textContent = SIGNS[name];
    button.setAttribute("aria-label", `Theme: ${name}; press to change`);
    button.title = `Theme: ${name}`;
  };
  button.addEventListener("click", () => {
    name = NAMES[(NAMES.indexOf(name) + 1) % NAMES.length];
    try { localStorage.setItem(KEY, name); } catch { /* private windows keep nothing */ }
    apply();
  });
  apply();
}

/** @returns {"auto" | "light" | "dark"} */
function stored() {
  try {
    const found = localStorage.getItem(KEY);
    if (found === "light" || found === "dark") return found;
  } catch { /* private windows keep nothing */ }
  return "auto";
}

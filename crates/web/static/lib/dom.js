// @ts-check
/** Elements without markup: nothing is ever parsed, so nothing can be injected. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, any>} Attributes  `on…` functions become listeners
 */

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Puts children in the place of what is there.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function replace(element, ...children) {
  element.replaceChildren(...flat(children));
}

/**
 * A sentence in which words between backquotes are code.
 * @param {string} text
 */
export function prose(text) {
  return text.split("`").map((part, nth) => (nth % 2 ? h("code", {}, part) : part));
}

/**
 * Says something to those who listen instead of looking.
 * @param {string} text
 */
export function say(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...flat(children));
  return element;
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function flat(children) {
  const kept = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  return kept.map((child) => (typeof child === "number" ? String(child) : /** @type {Node | string} */ (child)));
}

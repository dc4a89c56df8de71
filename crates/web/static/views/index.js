// @ts-check
/**
 * Every view: its address, its name, its file. One line each; `VIEWS` in
 * `crates/web/src/assets.rs` lists the same addresses.
 *
 * @typedef {object} View
 * @property {string} path
 * @property {string} label
 * @property {() => Promise<{mount: (root: HTMLElement, context: import("../app.js").Context) => void | Promise<void>}>} load
 */

/** @type {View[]} */
export const VIEWS = [
  { path: "/play", label: "Play", load: () => import("./play.js") },
  { path: "/watch", label: "Watch", load: () => import("./watch.js") },
  { path: "/race", label: "Race", load: () => import("./race.js") },
  { path: "/model", label: "Model", load: () => import("./model.js") },
  { path: "/papers", label: "Papers", load: () => import("./papers.js") },
  { path: "/compare", label: "Compare", load: () => import("./compare.js") },
  { path: "/api", label: "API", load: () => import("./api.js") },
];

// @ts-check
/**
 * Every view: its address, its name, its file. One line each; `VIEWS` in
 * `crates/web/src/assets.rs` lists the same addresses.
 *
 * @typedef {object} View
 * @property {string} path
 * @property {string} label
 * @property {boolean} [server]  it needs the server: there is none among static files
 * @property {() => Promise<{mount: (root: HTMLElement, context: import("../app.js").Context) => void | Promise<void>}>} load
 */

import { alone } from "../lib/api.js";

/** @type {View[]} */
const ALL = [
  { path: "/play", label: "Play", load: () => import("./play.js") },
  { path: "/watch", label: "Watch", load: () => import("./watch.js") },
  { path: "/race", label: "Race", server: true, load: () => import("./race.js") },
  { path: "/model", label: "Model", load: () => import("./model.js") },
  { path: "/papers", label: "Papers", server: true, load: () => import("./papers.js") },
  { path: "/compare", label: "Compare", server: true, load: () => import("./compare.js") },
  { path: "/api", label: "API", server: true, load: () => import("./api.js") },
];

/** Those that can be shown here. */
export const VIEWS = ALL.filter((view) => !(alone && view.server));

// @ts-check
/**
 * Questions without a server: workers that hold the same program as
 * WebAssembly (`answers.js`), each answering one question at a time.
 *
 * Whoever stops waiting is told at once; the worker has a moment to finish, and
 * is ended if it does not.
 */
import { Refusal } from "./api.js";

/** Workers that wait for a question; so many are kept. @type {Worker[]} */
const idle = [];
const KEPT = 2;
/** Milliseconds that a worker may finish in when nobody waits any more. */
const GRACE = 200;

/** The program, compiled once for all workers. @type {Promise<WebAssembly.Module> | undefined} */
let program;

/**
 * Asks for an answer.
 * @param {string} path  below `/api/v1`
 * @param {object | null} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(path, body, signal) {
  return JSON.parse(await work({ path, body: JSON.stringify(body) }, () => {}, signal));
}

/**
 * Listens to a search.
 * @param {string} path  `/watch` with its query
 * @param {(data: any, name: string) => void} onEvent
 * @param {AbortSignal} signal
 */
export async function watch(path, onEvent, signal) {
  const [name, query] = path.split("?");
  if (name !== "/watch") throw new Refusal({ detail: "This needs `planoku serve`: a page of static files has no threads." });
  /** @type {Record<string, string | number>} */
  const question = Object.fromEntries(new URLSearchParams(query));
  for (const number of ["limit", "time_ms", "nodes"]) if (number in question) question[number] = Number(question[number]);
  await work({ path: name, body: JSON.stringify(question) }, (name, data) => onEvent(JSON.parse(data), name), signal);
}

/**
 * @param {{path: string, body: string}} question
 * @param {(name: string, data: string) => void} onEvent
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>}
 */
async function work(question, onEvent, signal) {
  program ??= compile();
  const module = await program.catch((error) => {
    program = undefined;
    throw new Refusal({ detail: `The program could not be loaded: ${error instanceof Error ? error.message : error}` });
  });
  signal?.throwIfAborted();
  const worker = idle.pop() ?? start(module);
  return new Promise((done, failed) => {
    let over = false;
    /** @param {boolean} reuse */
    const leave = (reuse) => {
      over = true;
      signal?.removeEventListener("abort", stop);
      worker.onmessage = worker.onerror = null;
      if (reuse && idle.length < KEPT) idle.push(worker);
      else worker.terminate();
    };
    const stop = () => {
      failed(signal?.reason);
      setTimeout(() => { if (!over) leave(false); }, GRACE);
    };
    worker.onmessage = ({ data }) => {
      try {
        if (data.event !== undefined) {
          if (!signal?.aborted) onEvent(data.event, data.data);
          return;
        }
        if (data.answer !== undefined) done(data.answer);
        else if (data.problem !== undefined) failed(new Refusal(JSON.parse(data.problem)));
        else failed(new Refusal({ type: "fault", detail: `Planoku made a mistake; please report it. ${data.fault}` }));
        leave(data.fault === undefined);
      } catch (error) {
        leave(false);
        failed(error);
      }
    };
    worker.onerror = (event) => {
      leave(false);
      failed(new Refusal({ type: "fault", detail: event.message || "the worker could not be started" }));
    };
    signal?.addEventListener("abort", stop);
    worker.postMessage({ question });
  });
}

async function compile() {
  const address = new URL("../wasm/planoku_wasm_bg.wasm", import.meta.url);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: ${response.status}`);
  // Servers of files do not always know the type, which streaming insists on.
  return WebAssembly.compile(await response.arrayBuffer());
}

/** @param {WebAssembly.Module} module */
function start(module) {
  const worker = new Worker(new URL("./answers.js", import.meta.url), { type: "module" });
  worker.postMessage({ module });
  return worker;
}

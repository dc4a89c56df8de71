// @ts-check
/**
 * Questions to `/api/v1`, cancelled when the view is left. The server answers
 * them; where there are static files only (`<html data-answers="here">`), a
 * worker does, with the same answers (`worker.js`).
 */

/** True if there is no server. */
export const alone = document.documentElement.dataset.answers === "here";

/** What is said when nobody is there. */
export const UNREACHABLE = alone ? "A file of this page cannot be loaded. Try again when the connection is back."
  : "The server does not answer. Is “planoku serve” still running? Try again when it is back; nothing you did is lost.";

/** Who answers without a server; loaded only then. @returns {Promise<typeof import("./worker.js")>} */
const worker = () => import("./worker.js");

/** A refusal, as `application/problem+json` tells it. */
export class Refusal extends Error {
  /** @param {{type?: string, title?: string, detail?: string, status?: number, line?: number, column?: number}} problem */
  constructor(problem) {
    super(problem.detail || problem.title || "no answer");
    this.type = problem.type ?? "unknown";
    this.status = problem.status ?? 0;
    this.line = problem.line;
    this.column = problem.column;
  }
}

/**
 * Asks for something that is there.
 * @param {string} path  below `/api/v1`
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, signal) {
  if (alone) return (await worker()).ask(path, null, signal);
  return answer(await reach(path, { signal }));
}

/**
 * Asks for work to be done.
 * @param {string} path  below `/api/v1`
 * @param {object} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function post(path, body, signal) {
  if (alone) return (await worker()).ask(path, body, signal);
  const headers = { "content-type": "application/json" };
  return answer(await reach(path, { method: "POST", headers, body: JSON.stringify(body), signal }));
}

/**
 * Reads a stream of server-sent events: calls `onEvent` with the data of each,
 * read as JSON, until the stream ends or `signal` is aborted. While the tab is
 * hidden nothing is read, unless it is `live`: then the server waits, and gives
 * up after a while.
 * @param {string} path  below `/api/v1`, with its query
 * @param {(data: any, name: string) => void} onEvent
 * @param {AbortSignal} signal
 * @param {{live?: boolean}} [options]
 */
export async function events(path, onEvent, signal, { live = false } = {}) {
  if (alone) return (await worker()).watch(path, onEvent, signal);
  const response = await reach(path, { headers: { accept: "text/event-stream" }, signal });
  if (!response.ok || !response.body) return void (await answer(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", name = "message", data = "";
  for (;;) {
    if (!live) await visible(signal);
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data) onEvent(JSON.parse(data), name);
        name = "message";
        data = "";
      } else if (line.startsWith("event:")) name = line.slice(6).trim();
      else if (line.startsWith("data:")) data += line.slice(5).trim();
    }
  }
}

/** Waits until the tab can be seen. @param {AbortSignal} signal @returns {Promise<void>} */
export function visible(signal) {
  if (!document.hidden) return Promise.resolve();
  return new Promise((done, failed) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      if (signal.aborted) failed(signal.reason);
      else done();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
  });
}

/** Fetches; says in words if nobody is there. @param {string} path @param {RequestInit} options */
async function reach(path, options) {
  try {
    return await fetch(`/api/v1${path}`, options);
  } catch (error) {
    if (isAbort(error) || options.signal?.aborted) throw error;
    throw new Refusal({ type: "unreachable", detail: UNREACHABLE });
  }
}

/** @param {Response} response */
async function answer(response) {
  const text = await response.text();
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    data = { detail: text || response.statusText };
  }
  if (!response.ok) throw new Refusal({ status: response.status, ...data });
  return data;
}

/** @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

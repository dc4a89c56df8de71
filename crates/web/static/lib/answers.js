// @ts-check
/**
 * The worker of a page without a server: gets the compiled program first, then
 * questions, one at a time.
 */

const scope = /** @type {any} */ (globalThis);
/** The program's own bindings, made by wasm-bindgen. @type {Promise<any> | undefined} */
let ready;
/** What the program said before it fell. */
let last = "";

scope.planoku = {
  /** @param {string} name @param {string} data */
  tell(name, data) {
    if (name === "panic") last = data;
    else scope.postMessage({ event: name, data });
  },
};

/** @param {WebAssembly.Module} module */
async function load(module) {
  const address = new URL("../wasm/planoku_wasm.js", import.meta.url).href;
  const bindings = await import(address);
  await bindings.default({ module_or_path: module });
  return bindings;
}

scope.onmessage = async (/** @type {MessageEvent} */ { data: { module, question } }) => {
  if (module) {
    ready = load(module);
    ready.catch(() => {}); // Told with the first question.
    return;
  }
  try {
    const program = await ready;
    if (question.path === "/watch") {
      program.watch(question.body);
      scope.postMessage({ answer: "{}" });
    } else scope.postMessage({ answer: program.ask(question.path, question.body) });
  } catch (error) {
    if (typeof error === "string") scope.postMessage({ problem: error });
    else scope.postMessage({ fault: last || String(error) });
  }
};

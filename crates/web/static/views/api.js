// @ts-check
/** The API, described from its OpenAPI description, with a form to try it. */
import { get } from "../lib/api.js";
import { h, prose, replace } from "../lib/dom.js";

/**
 * @param {HTMLElement} root
 * @param {import("../app.js").Context} context
 */
export async function mount(root, { signal }) {
  const api = await get("/openapi.json", signal);
  const groups = new Map();
  for (const [path, item] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const tag = operation.tags?.[0] ?? "other";
      groups.set(tag, [...(groups.get(tag) ?? []), { path, method, operation }]);
    }
  }
  replace(root, h("div", { class: "report api" },
    h("section", { class: "card" }, h("h1", {}, "The API"), h("p", {}, api.info.description), h("p", {}, "Machine-readable: ", h("a", { href: "/api/v1/openapi.json", target: "_blank" }, "/api/v1/openapi.json"), `, version ${api.info.version}.`)),
    [...groups].map(([tag, list]) => h("section", { class: "card" }, h("h2", {}, tag), list.map((/** @type {any} */ each) => one(api, each, signal))))));
}

/**
 * @param {any} api
 * @param {{path: string, method: string, operation: any}} each
 * @param {AbortSignal} signal
 */
function one(api, { path, method, operation }, signal) {
  const wanted = operation.requestBody?.content?.["application/json"]?.schema;
  const schema = resolve(api, wanted);
  const answer = operation.responses?.["200"]?.content;
  const given = resolve(api, answer?.["application/json"]?.schema);
  const streams = Boolean(answer?.["text/event-stream"]);
  return h("details", { class: "operation" },
    h("summary", {}, h("code", { class: `method ${method}` }, method.toUpperCase()), h("code", {}, path), h("span", { class: "muted" }, operation.summary ?? "")),
    operation.description ? h("p", {}, prose(operation.description)) : null,
    operation.parameters?.length ? [h("h3", {}, "Parameters"), fields(api, { properties: Object.fromEntries(operation.parameters.map((/** @type {any} */ each) => [each.name, { ...each.schema, description: each.description }])), required: operation.parameters.filter((/** @type {any} */ each) => each.required).map((/** @type {any} */ each) => each.name) })] : null,
    schema ? [h("h3", {}, "Request"), fields(api, schema)] : null,
    given ? [h("h3", {}, "Answer"), fields(api, given)] : null,
    streams ? h("p", { class: "muted" }, "A stream of server-sent events: see the view that shows it.") : tryIt(path, method, schema, operation.parameters ?? [], signal));
}

/**
 * @param {string} path
 * @param {string} method
 * @param {any} schema
 * @param {any[]} parameters
 * @param {AbortSignal} signal
 */
function tryIt(path, method, schema, parameters, signal) {
  const area = schema ? h("textarea", { rows: 4, spellcheck: "false", "aria-label": `Body for ${path}` }) : null;
  if (area) area.value = JSON.stringify(schema.example ?? schema.examples?.[0] ?? {}, null, 2);
  const inputs = parameters.map((each) => h("label", {}, `${each.name} `, h("input", { type: "text", name: each.name, value: each.example ?? "" })));
  const out = h("pre", { class: "answer", tabindex: 0, role: "group", "aria-label": `Answer of ${path}`, hidden: true });
  const send = h("button", { type: "button", onclick: async () => {
    const started = performance.now();
    const query = new URLSearchParams(inputs.map((label) => /** @type {HTMLInputElement} */ (label.lastChild)).filter((input) => input.value).map((input) => [input.name, input.value])).toString();
    const response = await fetch(path + (query ? `?${query}` : ""), { method: method.toUpperCase(), headers: area ? { "content-type": "application/json" } : {}, body: area?.value, signal });
    const text = await response.text();
    let shown = text;
    try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* shown as it is */ }
    out.hidden = false;
    out.textContent = `${response.status} ${response.headers.get("content-type")} in ${(performance.now() - started).toFixed(0)} ms\n\n${shown.slice(0, 20_000)}`;
  } }, "Try it");
  return h("div", { class: "stack try" }, area, inputs.length ? h("div", { class: "row" }, inputs) : null, h("div", { class: "row" }, send), out);
}

/** @param {any} api @param {any} schema @returns {HTMLElement} */
function fields(api, schema) {
  if (schema.type === "array") return h("div", {}, h("p", { class: "muted" }, "a list of"), fields(api, resolve(api, schema.items) ?? {}));
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, name), schema.required?.includes(name) ? "" : " (optional)"),
    h("td", {}, kind(field)), h("td", {}, prose(field.description ?? ""))));
  return rows.length ? h("div", { class: "scroll" }, h("table", {}, h("tbody", {}, rows))) : h("p", { class: "muted" }, schema.description ?? kind(schema));
}

/** @param {any} field @returns {string} */
function kind(field) {
  if (field.$ref) return field.$ref.split("/").pop();
  if (field.oneOf || field.anyOf) return (field.oneOf ?? field.anyOf).map(kind).filter((/** @type {string} */ each) => each !== "null").join(" or ");
  const type = Array.isArray(field.type) ? field.type.filter((/** @type {string} */ each) => each !== "null").join(" or ") : field.type ?? "any";
  return type === "array" ? `list of ${kind(field.items ?? {})}` : type;
}

/** @param {any} api @param {any} schema @returns {any} */
function resolve(api, schema) {
  if (!schema) return null;
  if (schema.oneOf) return resolve(api, schema.oneOf.find((/** @type {any} */ each) => each.type !== "null"));
  return schema.$ref ? api.components.schemas[schema.$ref.split("/").pop()] : schema;
}

// @ts-check
/**
 * Model: two texts, what is wrong with them as you type, and what a planner
 * makes of them.
 */
import { get, isAbort, post } from "../lib/api.js";
import { h, replace, say } from "../lib/dom.js";
import { bind } from "../lib/keys.js";
import { note } from "../lib/url.js";
import { Editor } from "./model/editor.js";
import { applyEdits } from "./model/edits.js";
import { problemsPane } from "./model/problems.js";
import { planPane } from "./model/plan.js";

const KEPT = "planoku:model";

/**
 * @param {HTMLElement} root
 * @param {import("../app.js").Context} context
 */
export async function mount(root, { signal, params }) {
  /** @type {any[]} */
  const examples = await get("/models", signal);
  const wanted = params.get("m");
  const kept = wanted ? null : stored();
  const first = examples.find((each) => each.name === wanted) ?? examples[0];

  const editors = {
    domain: new Editor("Domain", { onChange: () => later(), onHover: (offset) => hover("domain", offset), signal }),
    problem: new Editor("Problem", { onChange: () => later(), onHover: (offset) => hover("problem", offset), signal }),
  };
  const story = h("p", { class: "story" });
  const problems = problemsPane({ show, fix });
  const plan = planPane(signal, () => ({ domain: editors.domain.text, problem: editors.problem.text }));

  const choose = h("select", { "aria-label": "Example", onchange: () => load(examples.find((each) => each.name === choose.value)) },
    h("option", { value: "" }, "— my own —"), examples.map((each) => h("option", { value: each.name }, each.title)));

  /** @param {any} example */
  function load(example) {
    if (!example) return;
    editors.domain.set(example.domain);
    editors.problem.set(example.problem);
    choose.value = example.name;
    replace(story, example.story);
    plan.clear();
    note({ m: example.name });
    void check();
  }

  let timer = 0;
  /** @type {AbortController | undefined} */
  let asking;
  signal.addEventListener("abort", () => { clearTimeout(timer); asking?.abort(); });

  /** After a change: kept, and checked after a short pause. */
  function later() {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), 200);
    plan.stale();
    store({ domain: editors.domain.text, problem: editors.problem.text });
  }

  async function check() {
    asking?.abort();
    asking = new AbortController();
    const [domain, problem] = [editors.domain.text, editors.problem.text];
    try {
      const found = await post("/check", { domain, problem: problem.trim() ? problem : null }, asking.signal);
      problems.show(found);
      for (const [name, editor] of Object.entries(editors)) {
        editor.mark(found.diagnostics.filter((/** @type {any} */ each) => each.place.file === name));
      }
      root.dataset.checked = String(Number(root.dataset.checked ?? 0) + 1);
    } catch (error) {
      if (!isAbort(error)) problems.fail(String(error instanceof Error ? error.message : error));
    }
  }

  /** Goes to a place. @param {any} place */
  function show(place) {
    const editor = editors[/** @type {"domain" | "problem"} */ (place.file)];
    tab(/** @type {"domain" | "problem"} */ (place.file));
    editor.select(place);
  }

  /** Which text is in sight. @type {"domain" | "problem"} */
  let shown = "domain";
  /** Puts a text into an editor, which is in sight while it happens, so that it can be undone. @param {"domain" | "problem"} name @param {string} text */
  function put(name, text) {
    const before = shown;
    tab(name);
    editors[name].replaceAll(text);
    tab(before);
  }

  /** Applies a fix to both texts, as one change each. @param {any} mending */
  function fix(mending) {
    for (const [name, editor] of Object.entries(editors)) {
      const edits = mending.edits.filter((/** @type {any} */ each) => each.place.file === name);
      if (edits.length > 0) put(/** @type {"domain" | "problem"} */ (name), applyEdits(editor.text, edits));
    }
    say(`Done: ${mending.message}`);
    choose.value = "";
    void check();
  }

  /** @param {"domain" | "problem"} file @param {number} offset */
  async function hover(file, offset) {
    const found = await post("/hover", { domain: editors.domain.text, problem: editors.problem.text, file, offset }, signal);
    if (!found) return null;
    const where = found.file && found.file !== file ? `, declared in the ${found.file}` : "";
    const what = found.what ? `${found.what}${where}` : "declared nowhere";
    return h("div", {}, found.declaration ? h("pre", {}, found.declaration) : h("b", {}, found.name), h("p", {}, `${what}; ${found.uses} ${found.uses === 1 ? "use" : "uses"} here`));
  }

  async function layout() {
    for (const [name, editor] of Object.entries(editors)) {
      try {
        const { text } = await post("/format", { text: editor.text }, signal);
        if (text !== editor.text) put(/** @type {"domain" | "problem"} */ (name), text);
      } catch (error) {
        if (!isAbort(error)) problems.fail(String(error instanceof Error ? error.message : error));
      }
    }
    void check();
  }

  const tabs = /** @type {const} */ (["domain", "problem"]).map((name) => h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
    onclick: () => tab(name) }, name === "domain" ? "Domain" : "Problem"));
  const panels = /** @type {const} */ (["domain", "problem"]).map((name) => h("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, class: "panel" }, editors[name].element));
  /** @param {"domain" | "problem"} name */
  function tab(name) {
    shown = name;
    for (const each of tabs) {
      each.setAttribute("aria-selected", String(each.id === `tab-${name}`));
      each.tabIndex = each.id === `tab-${name}` ? 0 : -1;
    }
    for (const each of panels) each.dataset.shown = String(each.id === `panel-${name}`);
    note({ f: name === "domain" ? null : name });
    editors[name].refresh();
  }

  bind(signal, [{ show: "Ctrl+Enter", what: "plan", match: (e) => (e.ctrlKey || e.metaKey) && e.key === "Enter", run: () => void plan.run() }]);
  replace(root, h("h1", { class: "unseen" }, "Model"),
    h("div", { class: "model" },
      h("div", { class: "stack texts" },
        h("div", { class: "row bar-row" }, choose, h("div", { class: "row", role: "tablist", "aria-label": "Texts" }, tabs),
          h("button", { type: "button", onclick: () => void layout() }, "Lay out")),
        h("details", { class: "card story-card", open: !kept }, h("summary", {}, "The story of this model"), story),
        h("div", { class: "panels" }, panels)),
      h("div", { class: "stack" }, problems.element, plan.element)));
  tab(params.get("f") === "problem" ? "problem" : "domain");
  if (kept) {
    editors.domain.set(kept.domain);
    editors.problem.set(kept.problem);
    choose.value = "";
    replace(story, "Your own texts, as you left them. The list above has the repository's models, the published one with its defects first.");
    await check();
  } else load(first);
}

/** @returns {{domain: string, problem: string} | null} */
function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "null");
    return found && typeof found.domain === "string" && typeof found.problem === "string" ? found : null;
  } catch {
    return null;
  }
}

/** @param {{domain: string, problem: string}} texts */
function store(texts) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(texts));
  } catch { /* too large, or a private window */ }
}

// @ts-check
/** Papers: what was published, checked here and now. */
import { get, isAbort } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { showPapers } from "../report/papers.js";

const NAMES = ["csp", "blocks", "hddl", "pddl"];

/**
 * @param {HTMLElement} root
 * @param {import("../app.js").Context} context
 */
export async function mount(root, { signal }) {
  const page = h("div", { class: "report" });
  const status = h("p", { class: "muted", role: "status" }, "Checking the papers: this takes some seconds the first time…");
  replace(root, h("h1", { class: "unseen" }, "Papers"), page, status);
  /** @type {any[]} */
  const chapters = [];
  void (async () => {
    for (const name of NAMES) {
      try {
        const found = await get(`/papers?paper=${name}`, signal);
        chapters.push(...found.chapters);
        showPapers(page, { made: found.made, chapters });
        root.dataset.papers = String(chapters.length);
      } catch (error) {
        if (isAbort(error)) return;
        page.append(h("p", { class: "card bad" }, `${name}: ${error instanceof Error ? error.message : error}`));
      }
    }
    status.remove();
  })();
}


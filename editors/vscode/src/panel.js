// What a command found, as a page. No network, no scripts of others: the page may
// run nothing but what stands here.

"use strict";

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text) => String(text).replace(/[&<>"']/g, (one) => ESCAPES[one]);

/** The page for a result of the server, with `focus` of "tree", "why" or "plan". */
function page(title, found, focus = "plan") {
  const part = (heading, body) => (body ? `<h2>${heading}</h2>${body}` : "");
  const pre = (text) => (text ? `<pre>${escape(text)}</pre>` : "");
  const reasons = (found.reasons || []).map((one) => `<li>${escape(one)}</li>`).join("");
  const widest = (found.widest || [])
    .map((one) => `<tr><td>${escape(one.kind)}</td><td>${escape(one.name)}</td><td>${one.count}</td></tr>`)
    .join("");
  const parts = {
    why: part("Why there is no plan", reasons && `<ol>${reasons}</ol>`),
    tree: part("Decomposition", pre(found.tree)),
    plan: part("Plan", pre(found.text)),
    widest: part("Most instances", widest && `<table>${widest}</table>`),
  };
  const first = parts[focus] || "";
  const rest = Object.entries(parts).filter(([name]) => name !== focus).map(([, body]) => body);
  const seconds = found.seconds === undefined ? "" : ` <small>${found.seconds.toFixed(2)} s</small>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}</title>
<style>
body { font-family: var(--vscode-font-family, sans-serif); padding: 0 1em; }
pre { font-family: var(--vscode-editor-font-family, monospace); overflow-x: auto; line-height: 1.35; }
h1 { font-size: 1.2em } h2 { font-size: 1em; margin-top: 1.5em }
td { padding-right: 1.5em } td:last-child { text-align: right }
.solved, .cheapest, .valid { color: var(--vscode-testing-iconPassed, #2a7) }
.unsolvable, .invalid { color: var(--vscode-testing-iconFailed, #c33) }
</style>
</head>
<body>
<h1>${escape(title)}</h1>
<p class="${escape(found.status)}" role="status">${escape(found.message)}${seconds}</p>
${first}
${rest.join("\n")}
</body>
</html>`;
}

module.exports = { escape, page };

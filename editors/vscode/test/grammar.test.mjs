// The grammar on texts: every word has a scope that says what it is.
//
// The repository's models, and where the samples of the planning competitions are
// (PLANOKU_CORPORA, or ../shared beside the repository) those as well: no word without
// a scope, no comment that is anything else, parentheses that match.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../../..");
const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const file = path.join(here, "../syntaxes", `${scope.replace("source.", "")}.tmLanguage.json`);
    return textmate.parseRawGrammar(readFileSync(file, "utf8"), file);
  },
});

/** Words of a text with their innermost scopes. */
async function words(text, language) {
  const grammar = await registry.loadGrammar(`source.${language}`);
  let state = textmate.INITIAL;
  const found = [];
  for (const [number, line] of text.split(/\r?\n/).entries()) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const token of result.tokens) {
      const word = line.slice(token.startIndex, token.endIndex);
      if (word.trim()) found.push({ word: word.trim(), scope: token.scopes.at(-1), line: number + 1 });
    }
  }
  return found;
}

function files(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(pddl|hddl)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

const DOMAIN = `; a robot
(define (domain tidy)
  (:requirements :typing :hierarchy)
  (:types room - object ball box - (either thing object))
  (:predicates (at ?r - room))
  (:functions (total-cost) - number)
  (:task tidy-up :parameters (?r - room))
  (:method walk :parameters (?from ?r - room) :task (tidy-up ?r)
    :subtasks (and (first (go ?from ?r)) (then (sweep ?r)))
    :ordering (< first then))
  (:action go :parameters (?from ?to - room)
    :precondition (and (at ?from) (not (= ?from ?to)))
    :effect (and (at ?to) (not (at ?from)) (increase (total-cost) 2.5))))`;

test("a word's scope is what it is", async () => {
  const found = await words(DOMAIN, "hddl");
  const scope = (word, at = 0) => found.filter((one) => one.word === word)[at]?.scope;
  const wanted = {
    "; a robot": "comment.line.semicolon.pddl",
    tidy: "entity.name.namespace.pddl",
    ":typing": "support.constant.requirement.pddl",
    ":predicates": "keyword.other.pddl",
    room: "entity.name.type.pddl",
    "tidy-up": "entity.name.function.task.hddl",
    walk: "entity.name.function.method.hddl",
    first: "entity.name.label.hddl",
    go: "entity.name.function.predicate.pddl",
    "?from": "variable.parameter.pddl",
    and: "keyword.operator.logical.pddl",
    "=": "keyword.operator.comparison.pddl",
    2.5: "constant.numeric.pddl",
  };
  for (const [word, name] of Object.entries(wanted)) {
    const scopes = found.filter((one) => one.word === word).map((one) => one.scope);
    assert.ok(scopes.includes(name), `${word}: ${name} is not among ${scopes}`);
  }
  assert.equal(scope("go", 1), "entity.name.function.action.pddl");
});

/** What must hold of any text. */
async function check(file) {
  const text = readFileSync(file, "utf8");
  const found = await words(text, path.extname(file).slice(1));
  const place = (one) => `${file}:${one.line}: ${one.word} is ${one.scope}`;
  let open = 0;
  for (const one of found) {
    if (one.scope.startsWith("comment")) continue;
    assert.ok(!one.word.includes(";"), place(one));
    if (one.word.startsWith("?")) assert.equal(one.scope, "variable.parameter.pddl", place(one));
    if (one.word.startsWith(":")) assert.match(one.scope, /^(keyword|support)/, place(one));
    if (/^\(/.test(one.word)) assert.match(one.scope, /^punctuation/, place(one));
    open += (one.word.match(/\(/g) || []).length - (one.word.match(/\)/g) || []).length;
  }
  assert.equal(open, 0, `${file}: parentheses do not match`);
  assert.ok(found.some((one) => one.scope === "entity.name.namespace.pddl"), `${file}: no name`);
  return found.length;
}

test("the models of the repository", async () => {
  const all = files(path.join(root, "models"));
  assert.ok(all.length > 0);
  for (const file of all) await check(file);
});

const corpora = process.env.PLANOKU_CORPORA ?? path.resolve(root, "../shared");
const samples = files(path.join(corpora, "ipc"));
test("samples of the planning competitions", { skip: samples.length === 0 && "not here" }, async () => {
  let count = 0;
  for (const file of samples) count += await check(file);
  console.log(`# ${samples.length} files, ${count} words`);
});

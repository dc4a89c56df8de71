// The server as vscode-languageclient speaks with it: the same JSON-RPC library
// (vscode-languageserver-protocol), the same messages, in the order of an editor.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
// What the client itself is made of.
const inClient = createRequire(require.resolve("vscode-languageclient/package.json"));
const protocol = inClient("vscode-languageserver-protocol/node");
const { page } = require("../src/panel.js");

const here = path.dirname(fileURLToPath(import.meta.url));
const program = process.env.PLANOKU ?? path.resolve(here, "../../../target/debug/planoku");
const manifest = JSON.parse(readFileSync(path.join(here, "../package.json"), "utf8"));

const DOMAIN = `(define (domain tidy)
  (:requirements :typing :hierarchy)
  (:types room)
  (:predicates (at ?r - room) (door ?from ?to - room) (clean ?r - room))
  (:task tidy-up :parameters (?r - room))
  (:method walk-and-sweep :parameters (?from ?r)
    :task (tidy-up ?r) :precondition (door ?from ?r)
    :ordered-subtasks (and (go ?from ?r) (sweep ?r)))
  (:action go :parameters (?from ?to - room)
    :precondition (and (at ?from) (door ?from ?to))
    :effect (and (at ?to) (not (at ?from))))
  (:action sweep :parameters (?r - room) :precondition (at ?r) :effect (clean ?r)))
`;
const PROBLEM = `(define (problem kitchen) (:domain tidy)
  (:objects hall kitchen - room)
  (:htn :ordered-subtasks (and (tidy-up kitchen)))
  (:init (at hall) (door hall kitchen)))
`;

async function session(run) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "planoku-vscode-"));
  const server = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(server.stdout),
    new protocol.StreamMessageWriter(server.stdin),
  );
  const ended = new Promise((resolve) => server.on("exit", resolve));
  try {
    connection.listen();
    const greeting = await connection.sendRequest(protocol.InitializeRequest.type, {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: {},
    });
    await connection.sendNotification(protocol.InitializedNotification.type, {});
    const open = async (name, text) => {
      writeFileSync(path.join(folder, name), text);
      const uri = pathToFileURL(path.join(folder, name)).href;
      const textDocument = { uri, languageId: "hddl", version: 1, text };
      await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument });
      return uri;
    };
    await run({ connection, greeting, open });
    await connection.sendRequest(protocol.ShutdownRequest.type);
    await connection.sendNotification(protocol.ExitNotification.type);
    assert.equal(await ended, 0);
  } finally {
    connection.dispose();
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

test("what the extension asks for, the server has", async () => {
  await session(async ({ greeting }) => {
    const { capabilities } = greeting;
    const commands = capabilities.executeCommandProvider.commands;
    const declared = manifest.contributes.commands.map((one) => one.command);
    for (const command of commands) assert.ok(declared.includes(command), command);
    for (const what of ["codeLens", "foldingRange", "inlayHint", "semanticTokens", "documentSymbol"]) {
      assert.ok(capabilities[`${what}Provider`], what);
    }
  });
});

test("a session: open, look, plan, verify, mend", async () => {
  await session(async ({ connection, open }) => {
    const published = new Map();
    connection.onNotification(protocol.PublishDiagnosticsNotification.type, (note) => {
      published.set(note.uri, note.diagnostics);
    });
    const domain = await open("domain.hddl", DOMAIN);
    const problem = await open("kitchen.hddl", PROBLEM);
    const about = (uri) => ({ textDocument: { uri } });
    const lenses = await connection.sendRequest(protocol.CodeLensRequest.type, about(problem));
    assert.equal(lenses[0].command.title, "plan this problem");
    const { command, arguments: given } = lenses[0].command;
    const found = await connection.sendRequest(protocol.ExecuteCommandRequest.type, {
      command,
      arguments: given,
    });
    assert.equal(found.status, "solved");
    assert.equal(found.steps, 2);
    const html = page("plan: kitchen.hddl", found, "tree");
    assert.match(html, /walk-and-sweep/);
    assert.ok(html.indexOf("Decomposition") < html.indexOf(">Plan<"));
    const hints = await connection.sendRequest(protocol.InlayHintRequest.type, {
      ...about(domain),
      range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } },
    });
    assert.deepEqual(hints.map((one) => one.label), [" - room", " - room"]);
    // A door less, as typed: there is no way, and the server says why.
    await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
      textDocument: { uri: problem, version: 2 },
      contentChanges: [{ text: PROBLEM.replace(" (door hall kitchen)", "") }],
    });
    const none = await connection.sendRequest(protocol.ExecuteCommandRequest.type, {
      command: "planoku.plan",
      arguments: [problem],
    });
    assert.equal(none.status, "unsolvable");
    assert.match(page("plan", none, "why"), /<li>.*door/);
    // Diagnostics come by themselves.
    for (let waited = 0; !published.has(domain) && waited < 100; waited += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(published.has(domain));
  });
});

test("what plans say is text, not markup", () => {
  const html = page("t", { status: "solved", message: "<script>", text: "<img>", reasons: ["<b>"] });
  assert.ok(!/<script>|<img>|<b>/.test(html));
});

test("the problem matcher reads what `planoku check` prints", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "planoku-vscode-"));
  const file = path.join(folder, "domain.hddl");
  writeFileSync(file, DOMAIN.replace("(clean ?r)))", "(clen ?r)))"));
  const check = spawn(program, ["check", file]);
  let output = "";
  check.stdout.on("data", (data) => (output += data));
  check.stderr.on("data", (data) => (output += data));
  await new Promise((resolve) => check.on("close", resolve));
  rmSync(folder, { recursive: true });
  const [first, second] = manifest.contributes.problemMatchers[0].pattern.map((one) => new RegExp(one.regexp));
  const lines = output.split("\n");
  const at = lines.findIndex((line) => first.test(line));
  assert.ok(at >= 0, output);
  const [, severity, code, message] = lines[at].match(first);
  assert.deepEqual([severity, message.includes("clen")], ["error", true]);
  assert.match(code, /^E\d{4}$/);
  const [, where, line] = lines[at + 1].match(second);
  assert.deepEqual([where, line], [file, "12"]);
});

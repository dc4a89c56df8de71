// The extension: starts `planoku lsp`, and shows what its commands find.
//
// The server declares its commands, the client makes them commands of the editor.
// What this file adds is where they apply (the problem in front of the reader), the
// limits of the settings, and a panel for the answer.

"use strict";

const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { page } = require("./panel.js");

const LANGUAGES = ["pddl", "hddl"];
let client;
let panel;

/** Commands of the server, with what the panel shows first. */
const SHOWN = {
  "planoku.plan": "plan",
  "planoku.cheapest": "plan",
  "planoku.verify": "plan",
  "planoku.ground": "widest",
};

async function activate(context) {
  const add = (name, run) => context.subscriptions.push(vscode.commands.registerCommand(name, run));
  add("planoku.tree", () => execute("planoku.plan", [], "tree"));
  add("planoku.why", () => execute("planoku.plan", [], "why"));
  add("planoku.restart", restart);
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("planoku.path")) restart();
    }),
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

async function start() {
  const settings = vscode.workspace.getConfiguration("planoku");
  const command = settings.get("path", "planoku");
  client = new LanguageClient(
    "planoku",
    "Planoku",
    { command, args: ["lsp"] },
    {
      documentSelector: LANGUAGES.map((language) => ({ language })),
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{pddl,hddl}") },
      middleware: {
        executeCommand: (name, given, next) =>
          name in SHOWN ? execute(name, given, SHOWN[name], next) : next(name, given),
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    const open = "Open settings";
    const message = `Planoku: \`${command} lsp\` does not start: ${error.message}`;
    if ((await vscode.window.showErrorMessage(message, open)) === open) {
      vscode.commands.executeCommand("workbench.action.openSettings", "planoku.path");
    }
  }
}

async function restart() {
  await client?.stop().catch(() => {});
  await start();
}

/** The problem (or domain) that a command is about. */
function target(given) {
  if (typeof given[0] === "string") return given[0];
  const document = vscode.window.activeTextEditor?.document;
  return document && LANGUAGES.includes(document.languageId) ? document.uri.toString() : undefined;
}

async function chosenPlan() {
  const chosen = await vscode.window.showOpenDialog({
    title: "Which plan?",
    filters: { Plans: ["plan", "sol", "solution", "soln", "txt"], "All files": ["*"] },
  });
  return chosen?.[0].toString();
}

/** Runs a command of the server, with progress that can be cancelled, and shows what it found. */
async function execute(name, given, focus, next) {
  const uri = target(given);
  if (uri === undefined) {
    vscode.window.showWarningMessage("Planoku: open a PDDL or HDDL file first.");
    return undefined;
  }
  const options = { ...(given[1] || {}), quiet: true };
  if (name === "planoku.verify" && !options.plan) {
    options.plan = await chosenPlan();
    if (options.plan === undefined) return undefined;
  }
  options.time ??= vscode.workspace.getConfiguration("planoku").get("timeLimit", 60);
  const title = `${name.replace("planoku.", "")}: ${path.basename(vscode.Uri.parse(uri).fsPath)}`;
  const progress = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  try {
    const found = await vscode.window.withProgress(progress, (_, token) =>
      client.sendRequest("workspace/executeCommand", { command: name, arguments: [uri, options] }, token),
    );
    show(title, found, focus);
    return found;
  } catch (error) {
    vscode.window.showErrorMessage(`Planoku: ${error.message}`);
    return undefined;
  }
}

function show(title, found, focus) {
  if (panel === undefined) {
    panel = vscode.window.createWebviewPanel("planoku", "Planoku", {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    });
    panel.onDidDispose(() => (panel = undefined));
  }
  panel.title = title;
  panel.webview.html = page(title, found, focus);
  panel.reveal(undefined, true);
}

module.exports = { activate, deactivate };

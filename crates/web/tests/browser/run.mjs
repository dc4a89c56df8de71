// Runs every `*.test.mjs` beside it; words choose tests by name.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runAll } from "./harness.mjs";

const here = dirname(fileURLToPath(import.meta.url));
for (const file of readdirSync(here).filter((name) => name.endsWith(".test.mjs")).sort()) {
  await import(pathToFileURL(join(here, file)).href);
}
process.exit((await runAll(process.argv.slice(2))) ? 0 : 1);

// @ts-check
/** By what and where a page was made. */

/** @param {{version: string, machine: string, cores: number}} made */
export function madeBy(made) {
  return `Made by Planoku ${made.version} on ${made.machine}, ${made.cores} ${made.cores === 1 ? "core" : "cores"}.`;
}

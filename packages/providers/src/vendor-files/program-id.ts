import { basename, extname } from "node:path";

/** Endings that say what a script is written in; the id goes without. */
const SCRIPTS = new Set([".sh", ".bash", ".py", ".js", ".mjs", ".ts", ".rb", ".pl"]);

/** The id of the provider that a program is. */
export function programId(path: string): string {
  return SCRIPTS.has(extname(path)) ? basename(path, extname(path)) : basename(path);
}

import { basename, extname } from "node:path";

/** File extensions of scripts, which are not part of the id. */
const SCRIPTS = new Set([".sh", ".bash", ".py", ".js", ".mjs", ".ts", ".rb", ".pl"]);

/** The id of the provider that a program implements. */
export function programId(path: string): string {
  return SCRIPTS.has(extname(path)) ? basename(path, extname(path)) : basename(path);
}

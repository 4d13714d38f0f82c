import { homedir } from "node:os";
import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isWithin } from "@harness/gate";
import { shownName } from "@harness/protocol";

/**
 * The path that a model meant: absolute, relative to `cwd`, below `~`, or a `file://` URL. Does not access the file
 * system and resolves no links. Never throws; an invalid URL is taken as a file name.
 */
export function absolutePath(input: string, cwd: string): string {
  // The system writes a lone surrogate, which a call may contain, in the same way.
  const path = input.toWellFormed();
  if (path.startsWith("file://")) {
    try {
      return resolve(cwd, fileURLToPath(path));
    } catch {
      return resolve(cwd, path);
    }
  }
  if (path === "~" || path.startsWith("~/")) return resolve(homedir(), path.slice(2));
  return resolve(cwd, path);
}

/** The path for people and models: relative inside `cwd`, otherwise absolute. */
export function displayPath(path: string, cwd: string): string {
  const shown = isAbsolute(path) && isWithin(path, cwd) ? relative(cwd, path) || "." : path;
  return shownName(shown.toWellFormed());
}

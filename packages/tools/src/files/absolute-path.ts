import { homedir } from "node:os";
import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isWithin } from "@harness/gate";
import { shownName } from "@harness/protocol";

/**
 * The path that a model meant: absolute, relative to `cwd`, below `~`, or a `file://` address. Does not touch the file
 * system and resolves no links. Never throws; an invalid address is taken as a file name.
 */
export function absolutePath(input: string, cwd: string): string {
  // Half of a pair, which a call may contain, is written by the system as this, too.
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

/** The path as shown to people and models: relative inside `cwd`, else absolute. */
export function displayPath(path: string, cwd: string): string {
  const shown = isAbsolute(path) && isWithin(path, cwd) ? relative(cwd, path) || "." : path;
  return shownName(shown.toWellFormed());
}

import { shownName } from "@harness/protocol";

/** A path as the model writes it: relative to the session's folder, on one line. */
export function shownPath(path: string, cwd: string): string {
  const shown = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  return shownName(shown);
}

import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Paths } from "@harness/gate";

/** The paths of this machine; `home` is the folder that `~` means in commands. */
export function realPaths(home: string): Paths {
  return { exists: existsSync, real: realPath, home };
}

/** Resolves the links of the deepest existing part and keeps the rest as written. */
export function realPath(path: string): string {
  const rest: string[] = [];
  for (let head = path; ; head = dirname(head)) {
    try {
      return join(realpathSync(head), ...rest);
    } catch {
      const parent = dirname(head);
      if (parent === head) return path;
      rest.unshift(basename(head));
    }
  }
}

import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Paths } from "@harness/gate";

/** The paths of this machine; `home`: the folder that `~` stands for in commands. */
export function realPaths(home: string): Paths {
  return { exists: existsSync, real: realPath, home };
}

/** Links of the deepest existing part are resolved; what does not exist yet is kept as it is written. */
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

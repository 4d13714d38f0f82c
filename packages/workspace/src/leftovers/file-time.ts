import { statSync } from "node:fs";

/** When it was changed; 0 if it is not there or cannot be looked at. */
export function mtimeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}

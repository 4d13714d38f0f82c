import { statSync } from "node:fs";

/** The time of the last change; 0 if the file is missing or cannot be examined. */
export function mtimeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}

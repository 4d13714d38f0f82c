import { type Stats, statSync } from "node:fs";

/** Stats of the target of a path; undefined if nothing is there, or it may not be accessed. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

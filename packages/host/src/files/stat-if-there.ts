import { type Stats, statSync } from "node:fs";

/** Of what a path leads to; undefined where nothing is, or nothing may be looked at. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/** The path without links, or the absolute path itself where nothing exists. */
export function realPathOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

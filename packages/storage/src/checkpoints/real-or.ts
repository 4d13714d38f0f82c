import { realpathSync } from "node:fs";

/** The real path, or the path itself where there is nothing. */
export function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

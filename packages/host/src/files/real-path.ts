import { realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The path without links, or the absolute path itself where nothing exists. */
export function realPathOrSame(path: string): string {
  return realPathIfThere(path) ?? resolve(path);
}

/** The path without links; undefined for what does not exist. One call of the system: Node's own way looks at each part of it. */
export function realPathIfThere(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/**
 * Resolves the links of the deepest part that exists and keeps the rest as written. Never rejects. A file that is missing in
 * its folder takes two looks, a path of thousands of parts two dozen: where a folder is missing, so is all below it.
 */
export async function realPathOf(path: string): Promise<string> {
  const whole = await real(path);
  if (whole !== undefined) return whole;
  const parts = path.split("/").filter(Boolean);
  const head = (length: number) => `/${parts.slice(0, length).join("/")}`;
  /** This many parts exist, and `missing` of them do not. */
  let there = 0;
  let missing = parts.length;
  let found = "/";
  // Each step goes twice as far from the end, until a part is there; from then on half of the way between.
  for (let step = 1; missing - there > 1; step *= 2) {
    const next = there > 0 ? Math.floor((there + missing) / 2) : Math.max(1, missing - step);
    const folder = await real(head(next));
    if (folder === undefined) missing = next;
    else [there, found] = [next, folder];
  }
  return join(found, ...parts.slice(there));
}

function real(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

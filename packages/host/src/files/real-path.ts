import { realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The path without links, or the absolute path itself if nothing exists there. */
export function realPathOrSame(path: string): string {
  return realPathIfThere(path) ?? resolve(path);
}

/**
 * The path without links; undefined if nothing exists there. One system call: Node's own implementation visits each
 * part of it.
 */
export function realPathIfThere(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/**
 * Resolves the links of the deepest part that exists and keeps the rest as written. Never rejects. A file missing in
 * its folder takes two look-ups, a path of thousands of parts two dozen: if a folder is missing, so is everything below
 * it.
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
  // Each step goes twice as far from the end, until a part exists; from then on it is a binary search.
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

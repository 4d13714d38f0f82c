import { realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The path without links, or the absolute path itself where nothing exists. */
export function realPathOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/**
 * Resolves the links of the deepest part that exists and keeps the rest as written. Never rejects. A path of thousands of
 * parts takes a dozen looks: where a folder is missing, so is all below it.
 */
export async function realPathOf(path: string): Promise<string> {
  const whole = await real(path);
  if (whole !== undefined) return whole;
  const parts = path.split("/").filter(Boolean);
  const head = (length: number) => `/${parts.slice(0, length).join("/")}`;
  /** This many parts exist, and `missing` of them do not. */
  let there = 0;
  let missing = parts.length;
  let found = (await real("/")) ?? "/";
  while (missing - there > 1) {
    const middle = Math.floor((there + missing) / 2);
    const next = await real(head(middle));
    if (next === undefined) missing = middle;
    else [there, found] = [middle, next];
  }
  return join(found, ...parts.slice(there));
}

function real(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

import { lstat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { errorCode, realPathOf } from "@harness/host";
import { absolutePath, displayPath } from "../files/absolute-path.ts";
import { fileProblem } from "../files/file-problem.ts";
import { type PathOptions, strayed } from "../files/judged-path.ts";
import { missingFile } from "../files/near-names.ts";
import { mayLeaveFolder } from "./wild-pattern.ts";

const WILD = /[*?[\]{}!\\]/;

/**
 * Splits a glob into the folder to start in and the rest: `src/lib/*.ts` searches `src/lib` for `*.ts`. Pure. The rest
 * never leads out of the base once its braces are expanded and `outwardProblem` has checked them, so an approval to
 * read the base covers everything that the search can reach.
 */
export function splitPattern(pattern: string, path: string | undefined, cwd: string): { base: string; rest: string } {
  const start = absolutePath(path ?? ".", cwd);
  const plain = pattern.startsWith("~/") ? absolutePath(pattern, cwd) : pattern;
  const parts = plain.split("/");
  const firstWild = parts.findIndex((part) => WILD.test(part));
  const fixed = firstWild === -1 ? parts.slice(0, -1) : parts.slice(0, firstWild);
  const rest = parts.slice(fixed.length).join("/");
  const folder = fixed.join("/");
  const base = resolve(start, isAbsolute(plain) && folder === "" ? "/" : folder || ".");
  // A single file name after fixed folders must be in that folder, not below it.
  const anchored = fixed.length > 0 && !rest.includes("/") ? `./${rest}` : rest;
  return { base, rest: anchored };
}

/** Says why one of these patterns, without braces, leads out of its base; continues "Cannot search: ". */
export function outwardProblem(patterns: readonly string[]): string | undefined {
  if (!patterns.some(mayLeaveFolder)) return undefined;
  return patterns.some((pattern) => pattern.startsWith("/"))
    ? 'no "/" may begin an alternative in braces: give the folder as path'
    : "the pattern (or one of its {alternatives}) leads above the folder after a wildcard";
}

export type Base = { real: string; folder: boolean };

/** The real path to search, or a problem. */
export async function searchBase(base: string, options: PathOptions): Promise<Base | { problem: string }> {
  const { cwd } = options;
  try {
    const real = await realPathOf(base);
    const stray = strayed(base, real, options);
    if (stray) return { problem: stray };
    const stats = await lstat(real);
    if (stats.isDirectory() || stats.isFile()) return { real, folder: stats.isDirectory() };
    return { problem: `${displayPath(base, cwd)} is neither a folder nor a file: it cannot be searched.` };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { problem: await missingFile(base, cwd) };
    return { problem: `Cannot search ${displayPath(base, cwd)}: ${fileProblem(error)}.` };
  }
}

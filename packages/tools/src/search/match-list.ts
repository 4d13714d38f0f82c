import type { FileFinder } from "@harness/core";
import type { EncodingSettings } from "../encodings/file-encoding.ts";

/** A matching line. `file` is relative to the searched base, or the base itself if that is a file. */
export type Match = { file: string; line: number; text: string };

export type MatchList = {
  /** In path order, then by line; at most the requested number. */
  matches: Match[];
  /** The number of further matches; `least`: there may be even more. */
  more: number;
  least: boolean;
  /** Files that were skipped because their names suggest secrets. */
  secrets: string[];
  tooLarge: number;
  /** Matches that were dropped because their lines are no longer where they were found. */
  unproven: number;
};

export type Search = {
  pattern: string;
  /** Absolute, without links. */
  base: string;
  /** False if `base` is a file. */
  folder: boolean;
  glob: string | undefined;
  /** The expanded patterns of the glob; every file if there is none. */
  patterns: readonly string[];
  limit: number;
  cwd: string;
  list: FileFinder;
  /** For files that are neither UTF-8 nor UTF-16. */
  settings: EncodingSettings;
  /** Files, by their real paths, that are skipped like secrets. */
  hides?(realPath: string): boolean;
  signal: AbortSignal;
};

/** True if a file is skipped when its folder is searched. */
export function isSkipped(path: string, { hides, list }: Search): boolean {
  return list.isSecret(path) || hides?.(path) === true;
}

/** Matches counted beyond the limit before a search gives up counting. */
export const COUNTED_MORE = 2000;
const BEFORE_CHARS = 100;
const MAX_CHARS = 400;

/** The part of a long line around its match. */
export function matchLine(line: string, column: number): string {
  const text = line.replace(/\r$/, "");
  if (text.length <= MAX_CHARS) return text;
  const start = Math.max(0, Math.min(column - BEFORE_CHARS, text.length - MAX_CHARS));
  const part = text.slice(start, start + MAX_CHARS).toWellFormed();
  return `${start > 0 ? "…" : ""}${part}${start + MAX_CHARS < text.length ? "…" : ""}`;
}

import { relative } from "node:path";
import { isWithin } from "@harness/gate";
import { settingCodec } from "../encodings/file-encoding.ts";
import { createLineMatcher, TooSlowError } from "./line-matcher.ts";
import { isSkipped, type Match, type MatchList, type Search } from "./match-list.ts";
import { searchFiles } from "./own-search.ts";

/**
 * Bytes that no UTF-8 text has: a byte of no character, one that continues nothing, or a character that is not
 * continued.
 */
export const NOT_UTF8 =
  "(?-u)[\\xC0\\xC1\\xF5-\\xFF]|(?:^|[\\x00-\\x09\\x0B-\\x7F])[\\x80-\\xBF]|[\\xC2-\\xF4](?:[\\x00-\\x09\\x0B-\\x7F\\xC0-\\xFF]|$)";
/** More files in old encodings are not searched. */
const MAX_FILES = 2_000;
/** Syntax that may match characters outside of ASCII. */
const ANY_CHARACTER = /\.|\\[DPSWpsw]|\[\^/;

/**
 * True if files in other encodings than UTF-8 have to be searched as well: ripgrep compares their bytes with those of
 * UTF-8. Patterns in ASCII match most of their lines anyway; only a folder with a named encoding is searched for all.
 */
export function mayMissLegacy({ pattern, settings }: Pick<Search, "pattern" | "settings">): boolean {
  return /[\u0080-\uffff]/.test(pattern) || (settingCodec(settings) !== undefined && ANY_CHARACTER.test(pattern));
}

/**
 * The list with the matches in these files as `read` shows them, instead of those that ripgrep found in their bytes.
 * `paths`: absolute, of files that are not UTF-8.
 */
export async function withLegacyMatches(list: MatchList, paths: readonly string[], search: Search): Promise<MatchList> {
  const matcher = await createLineMatcher(search.pattern);
  if ("problem" in matcher || paths.length === 0) return list;
  const readable = paths.filter((path) => isWithin(path, search.base) && !(search.folder && isSkipped(path, search)));
  const files = readable.slice(0, MAX_FILES).map((path) => relative(search.base, path));
  const own: MatchList = { ...list, matches: [], more: 0, least: false, tooLarge: 0 };
  try {
    await searchFiles(search, matcher, files, own);
  } catch (error) {
    if (error instanceof TooSlowError) return list;
    throw error;
  }
  const isLegacy = new Set(files);
  const all = inListOrder([...list.matches.filter(({ file }) => !isLegacy.has(file)), ...own.matches]);
  const matches = all.slice(0, search.limit);
  return {
    ...list,
    matches,
    more: list.more + own.more + all.length - matches.length,
    least: list.least || own.least || readable.length > MAX_FILES,
    tooLarge: list.tooLarge + own.tooLarge,
  };
}

/** In path order, then by line. */
function inListOrder(matches: readonly Match[]): Match[] {
  const keyed = matches.map((match) => ({ match, key: match.file.replaceAll("/", "\0") }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.match.line - b.match.line));
  return keyed.map(({ match }) => match);
}

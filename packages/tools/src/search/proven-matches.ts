import { contentKind } from "../files/content-kind.ts";
import { type OpenFile, openFile } from "../files/open-file.ts";
import type { Match, Search } from "./match-list.ts";

const PIECE_BYTES = 256 * 1024;
const HEAD_BYTES = 8_000;
const FILES_AT_ONCE = 8;
/** Ripgrep's replacement for the rest of a long line. */
const CUT = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/;

type SearchBase = Pick<Search, "base" | "cwd">;

/**
 * The matches whose lines are really in a file below the base. ripgrep opens its folder and every file by name, so a
 * folder that is exchanged with a link meanwhile leads it elsewhere: each line is read again, from an open file that
 * lies where it was found.
 */
export async function provenMatches(matches: readonly Match[], search: SearchBase): Promise<Match[]> {
  const byFile = Map.groupBy(matches, ({ file }) => file);
  const proven = new Set<Match>();
  const files = [...byFile];
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    const some = files.slice(at, at + FILES_AT_ONCE);
    const found = await Promise.all(some.map(([file, ofFile]) => provenIn(file, ofFile, search)));
    for (const match of found.flat()) proven.add(match);
  }
  return matches.filter((match) => proven.has(match));
}

async function provenIn(path: string, matches: readonly Match[], { base, cwd }: SearchBase): Promise<Match[]> {
  const file = await openFile(path, { cwd, below: base });
  if ("problem" in file) return [];
  try {
    const lines = await linesOf(file, new Set(matches.map(({ line }) => line)));
    return matches.filter(({ line, text }) => isSame(text, lines.get(line)));
  } catch {
    return [];
  } finally {
    await file.handle.close();
  }
}

function isSame(shown: string, line: string | undefined): boolean {
  if (line === undefined) return false;
  const real = line.replace(/\r$/, "");
  // A cut may be in the middle of a character.
  return shown === real || (CUT.test(shown) && real.startsWith(shown.replace(CUT, "").replace(/\uFFFD+$/, "")));
}

/** Reads these lines of a file, which may be too large for memory. */
async function linesOf({ handle }: OpenFile, wanted: Set<number>): Promise<Map<number, string>> {
  const lines = new Map<number, string>();
  const last = Math.max(...wanted);
  const piece = Buffer.alloc(PIECE_BYTES);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let number = 1;
  let rest = "";
  const take = (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      if (wanted.has(number)) lines.set(number, line);
      number += 1;
    }
  };
  while (number <= last) {
    const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES);
    const bytes = piece.subarray(0, bytesRead);
    if (decoder === undefined) {
      const content = contentKind(bytes.subarray(0, HEAD_BYTES));
      // ripgrep itself converts UTF-16, and nothing else.
      const isWide = content.kind === "text" && content.encoding.startsWith("utf-16");
      decoder = new TextDecoder(isWide ? content.encoding : "utf-8");
    }
    take(decoder.decode(bytes, { stream: bytesRead > 0 }));
    if (bytesRead === 0) {
      if (wanted.has(number)) lines.set(number, rest);
      break;
    }
    // Unwanted text is dropped, because a file may consist of one line.
    if (!wanted.has(number) && !rest.includes("\n")) rest = "";
  }
  return lines;
}

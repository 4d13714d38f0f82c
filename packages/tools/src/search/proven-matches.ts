import { contentOfFile } from "../encodings/file-content.ts";
import { contentKind } from "../files/content-kind.ts";
import { type OpenFile, openFile } from "../files/open-file.ts";
import type { Match, Search } from "./match-list.ts";

const PIECE_BYTES = 256 * 1024;
const HEAD_BYTES = 8_000;
const FILES_AT_ONCE = 8;
/** Ripgrep's replacement for the rest of a long line. */
const CUT = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/;

type FileContent = Awaited<ReturnType<typeof contentOfFile>>;
type SearchBase = Pick<Search, "base" | "cwd" | "settings">;

/**
 * The matches whose lines are really in a file below the base. ripgrep opens its folder and every file by name, so a
 * folder that is exchanged with a link meanwhile leads it elsewhere: each line is read again, from an open file that
 * lies where it was found.
 */
export async function provenMatches(matches: readonly Match[], search: SearchBase): Promise<Match[]> {
  const byFile = Map.groupBy(matches, ({ file }) => file);
  const proven = new Map<string, Match>();
  const keyOf = ({ file, line }: Match) => `${line} ${file}`;
  const files = [...byFile];
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    const some = files.slice(at, at + FILES_AT_ONCE);
    const found = await Promise.all(some.map(([file, ofFile]) => provenIn(file, ofFile, search)));
    for (const match of found.flat()) proven.set(keyOf(match), match);
  }
  return matches.flatMap((match) => proven.get(keyOf(match)) ?? []);
}

async function provenIn(
  path: string,
  matches: readonly Match[],
  { base, cwd, settings }: SearchBase,
): Promise<Match[]> {
  const file = await openFile(path, { cwd, below: base });
  if ("problem" in file) return [];
  try {
    const wanted = new Set(matches.map(({ line }) => line));
    const lines = await linesOf(file, wanted, await searchedEncoding(file));
    const found = matches.filter(({ line, text }) => isSame(text, lines.get(line)));
    return found.some(({ text }) => text.includes("\uFFFD"))
      ? await decoded(found, await contentOfFile(file, settings), file)
      : found;
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

/** ripgrep itself converts UTF-16, and nothing else. */
async function searchedEncoding({ handle }: OpenFile): Promise<string> {
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0);
  const content = contentKind(head.subarray(0, bytesRead));
  return content.kind === "text" && content.encoding.startsWith("utf-16") ? content.encoding : "utf-8";
}

/** The matches in the encoding in which `read` shows the file. */
async function decoded(matches: readonly Match[], content: FileContent, file: OpenFile): Promise<Match[]> {
  if (content.kind !== "text") return [...matches];
  const lines = await linesOf(file, new Set(matches.map(({ line }) => line)), content.encoding);
  return matches.map((match) => {
    const line = (lines.get(match.line) ?? match.text).replace(/\r$/, "");
    const cut = CUT.exec(match.text)?.[0] ?? "";
    return { ...match, text: cut === "" ? line : `${line.slice(0, match.text.length - cut.length)}${cut}` };
  });
}

/** Reads these lines of a file, which may be too large for memory. */
async function linesOf({ handle }: OpenFile, wanted: Set<number>, encoding: string): Promise<Map<number, string>> {
  const lines = new Map<number, string>();
  const last = Math.max(...wanted);
  const piece = Buffer.alloc(PIECE_BYTES);
  const decoder = new TextDecoder(encoding);
  let number = 1;
  let rest = "";
  let at = 0;
  const take = (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      if (wanted.has(number)) lines.set(number, line);
      number += 1;
    }
  };
  while (number <= last) {
    const { bytesRead } = await handle.read(piece, 0, PIECE_BYTES, at);
    at += bytesRead;
    take(decoder.decode(piece.subarray(0, bytesRead), { stream: bytesRead > 0 }));
    if (bytesRead === 0) {
      if (wanted.has(number)) lines.set(number, rest);
      break;
    }
    // Unwanted text is dropped, because a file may consist of one line.
    if (!wanted.has(number) && !rest.includes("\n")) rest = "";
  }
  return lines;
}

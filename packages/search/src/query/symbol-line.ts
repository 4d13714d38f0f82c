import type { StoredChunk } from "../store/index-store.ts";

const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\w)|--|;|""")/;

/** The line of a chunk that defines a name: the first that has it outside of a comment. */
export function symbolLine({ startLine, text }: Pick<StoredChunk, "startLine" | "text">, name: string): number {
  const lines = text.split("\n");
  const has = (line: string) => hasWord(line, name);
  const found = lines.findIndex((line) => !COMMENT.test(line) && has(line));
  return startLine + Math.max(found, 0);
}

function hasWord(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    if (!isPart(line[at - 1]) && !isPart(line[at + word.length])) return true;
  }
  return false;
}

function isPart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}

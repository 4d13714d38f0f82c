import { operandsOf } from "./operands.ts";

/** The operands that may be folders, by their names: without an ending. */
export function foldersAmong(words: readonly string[], valued?: RegExp): string[] {
  return operandsOf(words, valued).filter((word) => !/[^./][^/]*\.[A-Za-z0-9]{1,8}$/.test(word));
}

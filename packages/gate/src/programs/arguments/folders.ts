import { operandsOf } from "./operands.ts";

/** The operands that may be folders, judging by their names: without an extension. */
export function foldersAmong(words: readonly string[], valued?: RegExp): string[] {
  return operandsOf(words, valued).filter((word) => {
    const name = word.slice(word.lastIndexOf("/") + 1);
    const dot = name.lastIndexOf(".");
    return dot <= 0 || !/^\.[A-Za-z0-9]{1,8}$/.test(name.slice(dot)) || /^\.+$/.test(name.slice(0, dot));
  });
}

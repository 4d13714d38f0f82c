import type { PermissionNote } from "@harness/protocol";
import { codeOf, lookAlikeLetters } from "../places/look-alike-letters.ts";
import { punycodeHost } from "../places/punycode.ts";

const MAX_NOTES = 5;
const MAX_SHOWN = 100;

/** Invisible characters, and those that reorder others (the table of hidden characters: gate design, 4.1). */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]|(?! )\p{Zs}|\u2800/gu;
/** Plain in any text, or part of emoji. */
const usual = /^(?:\n|\t|\u200d|\ufe0f)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ascii = /^[\u0000-\u007f]*$/;
/** Most texts match this and contain no hidden characters, which are slow to search for. */
const plain = /^[\t\n -~]*$/;

/** Warnings about things that the user could overlook in the text, in program names, in their words and in hosts. */
export function lookAlikes(command: string, views: readonly string[][], hosts: readonly string[]): PermissionNote[] {
  const notes: PermissionNote[] = [];
  const warn = (text: string) => notes.push({ kind: "warning", text });
  notes.push(...unseenCharacters(command));
  const programs = new Set(views.map(([program = ""]) => program).filter((program) => !ascii.test(program)));
  for (const program of [...programs].slice(0, 5)) {
    warn(`the program name "${program}" contains letters that only look like others: ${lettersOf(program)}`);
  }
  notes.push(...lookAlikePaths(views.flatMap(([, ...args]) => args)));
  for (const host of new Set(hosts)) {
    const spelt = punycodeHost(host);
    if (spelt !== undefined) warn(`the host "${host}" may not be what it looks like: it is ${spelt}`);
  }
  return notes;
}

/** Characters that are invisible or reverse the order of others. */
export function unseenCharacters(text: string): PermissionNote[] {
  if (plain.test(text)) return [];
  const codes = new Set([...text.matchAll(hidden)].flatMap(([sign]) => (usual.test(sign) ? [] : [codeOf(sign)])));
  if (codes.size === 0) return [];
  const some = [...codes].slice(0, 5).join(", ");
  const more = codes.size > 5 ? ` and ${codes.size - 5} more` : "";
  return [{ kind: "warning", text: `contains invisible characters: ${some}${more}` }];
}

/** Paths, and other words that look like paths. */
export function lookAlikePaths(paths: readonly string[]): PermissionNote[] {
  const odd = [...new Set(paths)].flatMap((path) => {
    const letters = lookAlikeLetters(path);
    return letters.length === 0 ? [] : [{ path, letters }];
  });
  return odd.slice(0, MAX_NOTES).map(({ path, letters }) => ({
    kind: "warning",
    text: `the name "${path.slice(0, MAX_SHOWN)}" contains letters that only look like others: ${letters.join(", ")}`,
  }));
}

function lettersOf(word: string): string {
  return [...new Set([...word].filter((sign) => !ascii.test(sign)).map(codeOf))].slice(0, 5).join(", ");
}

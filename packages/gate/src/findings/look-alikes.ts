import type { PermissionNote } from "@harness/protocol";
import { punycodeHost } from "../places/punycode.ts";

/** Invisible characters, and those that change the order of others (the table of hidden ones: gate design, 4.1). */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]|(?! )\p{Zs}|\u2800/gu;
/** Plain in every text; and what emoji are made of. */
const usual = /^(?:\n|\t|\u200d|\ufe0f)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ascii = /^[\u0000-\u007f]*$/;

/** Warnings about what a person could overlook in the text, in the names of programs and in hosts. */
export function lookAlikes(command: string, views: readonly string[][], hosts: readonly string[]): PermissionNote[] {
  const notes: PermissionNote[] = [];
  const warn = (text: string) => notes.push({ kind: "warning", text });
  const codes = new Set([...command.matchAll(hidden)].flatMap(([sign]) => (usual.test(sign) ? [] : [codeOf(sign)])));
  if (codes.size > 0) {
    const some = [...codes].slice(0, 5).join(", ");
    warn(`holds characters that cannot be seen: ${some}${codes.size > 5 ? ` and ${codes.size - 5} more` : ""}`);
  }
  const programs = new Set(views.map(([program = ""]) => program).filter((program) => !ascii.test(program)));
  for (const program of [...programs].slice(0, 5)) {
    warn(`the name of the program "${program}" holds letters that only look like others: ${lettersOf(program)}`);
  }
  for (const host of new Set(hosts)) {
    const spelt = punycodeHost(host);
    if (spelt !== undefined) warn(`the host "${host}" is not what it may look like: it is ${spelt}`);
  }
  return notes;
}

function lettersOf(word: string): string {
  return [...new Set([...word].filter((sign) => !ascii.test(sign)).map(codeOf))].slice(0, 5).join(", ");
}

function codeOf(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

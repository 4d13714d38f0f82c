import { isSecret, mayNameSecret } from "../places/secret-files.ts";
import { programOf, readByTable } from "../programs/programs.ts";
import type { CheckedWord } from "../shell/checked-line.ts";
import {
  type CommandLocation,
  type FoundCommand,
  type FoundCommands,
  normalizedWords,
  resolveWord,
} from "./found-command.ts";

/**
 * A word of a command that names a secret place, whatever surrounds it. `path`: for a name without a folder that may be
 * any word, such as `id_field`; it counts if the file exists.
 */
export type SecretWord = { word: string; path?: string };

/** Programs whose words may name files to exclude. */
const leavingOut = /^(?:bsdtar|diff|du|[ef]?grep|rsync|tar)$/;
const leftOut = /^--exclude(?:-dir)?(?:=|$)/;

/** Each word once. A part known only at run time may still be a secret place. */
export function secretWords({ commands, guesses }: FoundCommands, location: CommandLocation): SecretWord[] {
  const found = new Map<string, SecretWord>();
  const seen = new Set<string>();
  const look = (word: string, cwd: string) => {
    const key = `${cwd}\n${word}`;
    if (seen.has(key)) return;
    seen.add(key);
    const secret = secretIn(word, cwd, location);
    if (secret) found.set(word, secret);
  };
  for (const command of commands) for (const word of wordsOf(command)) look(word, command.cwd);
  for (const word of new Set(guesses.flat())) look(word, location.cwd);
  return [...found.values()];
}

/** The words that may name files. If the table knows a command's arguments, only those that it opens. */
function wordsOf(command: FoundCommand): string[] {
  const { words, assignments, redirects, nested } = command;
  const targets = redirects.filter(({ operator }) => !operator.includes("<<")).map(({ target }) => target.text);
  const opened = nested || assignments.length > 0 ? undefined : openedBy(command);
  if (opened) return [...opened, ...targets];
  const [program = "", ...rest] = normalizedWords(command);
  const named = leavingOut.test(program)
    ? rest.filter((word, at) => !leftOut.test(word) && !/^--exclude(?:-dir)?$/.test(rest[at - 1] ?? ""))
    : rest;
  const file = words[0]?.text ?? "";
  const read = programOf(program).files?.(rest).read ?? [];
  return [...(file.includes("/") ? [file] : []), ...named, ...read, ...assignments, ...targets];
}

function openedBy({ words: [program, ...rest] }: FoundCommand): string[] | undefined {
  if (!program?.literal) return undefined;
  // Patterns and parts known only at run time are checked as written.
  const args = rest.map(({ text, literal }): CheckedWord => ({ text, glob: !literal }));
  const reading = readByTable({ program: program.text, args, env: [], redirects: [] });
  return !reading || "reason" in reading ? undefined : reading.paths.map(({ text }) => text);
}

function secretIn(word: string, cwd: string, location: CommandLocation): SecretWord | undefined {
  let bare: SecretWord | undefined;
  for (const text of spellings(word)) {
    const path = resolveWord(text, cwd, location);
    if (!isSecret(path) && !mayNameSecret(text)) continue;
    if (!anyWord.test(text) || anyNames.test(text)) return { word };
    bare ??= { word, path };
  }
  return bare;
}

/** Without a folder it may be a script, a column or a setting. */
const anyWord = /^(?:id_(?!rsa|dsa|ecdsa|ed25519)[^./]*|credentials[^./]*|[^./][^/]*\.key)$/i;
/** A pattern that matches such files, whatever their names. */
const anyNames = /^(?:id_|credentials)[^/]*[*?[]|[*?][^/]*\.key$/i;
const address = /\b(?!file:)[a-z][a-z0-9+.-]{0,40}:\/\/\S*/gi;
/** Expansions whose values are known only at run time. */
const open = /\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`|\$(?!HOME\b|PWD\b)\w+|\{[^{}]*\}/g;
const MAX_SPELLING = 300;

/**
 * The word and everything in it that may be a path: after `=`, `@`, `:` and the like, within braces, attached to a
 * flag.
 */
export function spellings(word: string): Set<string> {
  const local = word.replace(address, "");
  const pieces = [local, local.replace(open, "*")].flatMap((text) => [text, ...behindSigns(text)]);
  const parts = local.split(/[=@:,;|&()<>{}'"`]+/);
  const attached = parts.flatMap((text) =>
    /^-/.test(text) ? [...Array(5).keys()].map((at) => text.slice(at + 1)) : [],
  );
  return new Set([...pieces, ...parts, ...attached].filter((text) => text !== "" && text.length <= MAX_SPELLING));
}

function behindSigns(text: string): string[] {
  return [...text.matchAll(/[=@:,;]/g)].slice(0, 8).map(({ index }) => text.slice(index + 1));
}

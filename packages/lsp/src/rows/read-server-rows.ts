import { isAbsolute, resolve } from "node:path";
import { isRecord, plainLine, readLenientJson } from "@harness/host";
import type { ServerRow } from "./server-row.ts";

/** The rows of a file, names that it switches off, and sentences about what is not used. */
export type ReadServerRows = { readonly rows: ServerRow[]; readonly off: string[]; readonly problems: string[] };

const MAX_ROWS = 100;
const MAX_NAME = 60;

type Entry = Readonly<Record<string, unknown>>;

/**
 * Reads an `lsp.json`: servers by their names, as in Claude's plugins, with or without `lspServers` around them. A
 * known name changes only the fields that are given. `folder`: where paths of programs start. Never throws.
 */
export function readServerRows(
  text: string,
  { from, folder, known }: { from: string; folder: string; known: readonly ServerRow[] },
): ReadServerRows {
  const read: ReadServerRows = { rows: [], off: [], problems: [] };
  const json = readLenientJson(text);
  const value = "value" in json ? json.value : undefined;
  if (!isRecord(value))
    return { ...read, problems: [`${from} is not a JSON object: its language servers are not used.`] };
  const named = isRecord(value.lspServers) ? value.lspServers : value;
  for (const [name, entry] of Object.entries(named).slice(0, MAX_ROWS)) {
    const shown = plainLine(name, MAX_NAME);
    const row = isRecord(entry) && name.length <= MAX_NAME ? rowOf(shown, entry, { folder, known }) : undefined;
    if (isRecord(entry) && (entry.enabled === false || entry.disabled === true)) read.off.push(shown);
    else if (row) read.rows.push(row);
    else
      read.problems.push(
        `The language server ${shown} in ${from} needs a command, and extensionToLanguage: {".x": "language"}.`,
      );
  }
  return read;
}

/** The person's rows in place of known ones, and before them. */
export function mergedRows(known: readonly ServerRow[], reads: readonly ReadServerRows[]): ServerRow[] {
  const own = new Map(reads.flatMap(({ rows }) => rows.map((row) => [row.name, row] as const)));
  const off = new Set(reads.flatMap((read) => read.off));
  return [...own.values(), ...known.filter(({ name }) => !own.has(name))].filter(({ name }) => !off.has(name));
}

function rowOf(
  name: string,
  entry: Entry,
  { folder, known }: { folder: string; known: readonly ServerRow[] },
): ServerRow | undefined {
  const base = known.find((row) => row.name === name);
  const [program, ...args] = base?.command ?? [];
  const command = typeof entry.command === "string" ? programOf(entry.command, folder) : program;
  const languages = textsOf(entry.extensionToLanguage ?? entry.languages) ?? base?.languages;
  if (command === undefined || !languages || Object.keys(languages).length === 0) return undefined;
  const env = textsOf(entry.env);
  return {
    ...(base ? withoutProof(base, entry.command !== undefined) : {}),
    name,
    languages,
    command: [command, ...(listOf(entry.args) ?? (typeof entry.command === "string" ? [] : args))],
    roots: listOf(entry.rootMarkers ?? entry.roots) ?? base?.roots ?? [],
    install: base?.install ?? "its own lsp.json names it",
    ...(entry.linter === true ? { isLinter: true } : {}),
    ...(entry.settings === undefined || !isRecord(entry.settings) ? {} : { settings: entry.settings }),
    ...(entry.initializationOptions === undefined ? {} : { initializationOptions: entry.initializationOptions }),
    ...(env ? { env: { ...base?.env, ...env } } : {}),
  };
}

/** A program that a person names is the right one. */
function withoutProof({ proof, ...row }: ServerRow, isNamed: boolean): Partial<ServerRow> {
  return isNamed || !proof ? row : { ...row, proof };
}

function programOf(command: string, folder: string): string {
  return command.includes("/") && !isAbsolute(command) ? resolve(folder, command) : command;
}

function listOf(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}

function textsOf(value: unknown): Record<string, string> | undefined {
  if (!isRecord(value)) return undefined;
  const texts = Object.entries(value).filter((each): each is [string, string] => typeof each[1] === "string");
  return Object.fromEntries(texts);
}

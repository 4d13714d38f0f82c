import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Content, textOf } from "@harness/protocol";
import { glanceAt, importFormats } from "./import-formats.ts";

const MAX_DEPTH = 6;
const MAX_FILES = 100_000;
const FIRST_CHARS = 80;

/** A session of another program that can be imported. */
export type FoundImport = { path: string; changedAt: string; bytes: number };

export type ImportSource = keyof typeof importFormats;

/** The files in a program's usual folders below the home directory, newest first. Unreadable folders are skipped. */
export function findImports(home: string, from: ImportSource): FoundImport[] {
  const found = new Map<string, FoundImport>();
  for (const place of importFormats[from].places) {
    for (const path of filesAt(home, place.split("/"))) {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats?.isFile()) found.set(path, { path, changedAt: stats.mtime.toISOString(), bytes: stats.size });
      if (found.size >= MAX_FILES) break;
    }
  }
  return [...found.values()].sort((one, other) => other.changedAt.localeCompare(one.changedAt));
}

/** A program's name, and the folders with its sessions. */
export function importPlaces(from: ImportSource): { title: string; folders: string[] } {
  const { title, places } = importFormats[from];
  return { title, folders: [...new Set(places.map((place) => `~/${place.replace(/\/[^/]*\*.*$/, "")}`))] };
}

/** The folder of one of these sessions, and its title or the beginning of its first message. */
export function describeImport(path: string): { cwd?: string; title?: string } | undefined {
  const taken = glanceAt(path);
  if (taken === "empty") return undefined;
  if (!taken) return {};
  let first: readonly Content[] | undefined;
  taken.forEachMessage(({ by, content }) => {
    if (by === "person") first ??= content;
  });
  const title =
    taken.title ??
    textOf(first ?? [])
      .trim()
      .split("\n", 1)[0]
      ?.slice(0, FIRST_CHARS);
  return { ...(taken.cwd === undefined ? {} : { cwd: taken.cwd }), ...(title ? { title } : {}) };
}

function* filesAt(folder: string, [name, ...rest]: readonly string[], depth = 0): Generator<string, void> {
  if (name === undefined) return;
  if (name === "**") {
    yield* filesAt(folder, rest, depth);
    if (depth >= MAX_DEPTH) return;
    for (const entry of entriesOf(folder))
      if (entry.isDirectory()) yield* filesAt(join(folder, entry.name), [name, ...rest], depth + 1);
    return;
  }
  if (!name.includes("*")) {
    if (rest.length > 0) yield* filesAt(join(folder, name), rest, depth);
    return;
  }
  const [start = "", end = ""] = name.split("*");
  for (const entry of entriesOf(folder)) {
    const isFitting =
      entry.name.startsWith(start) && entry.name.endsWith(end) && entry.name.length >= start.length + end.length;
    if (!isFitting) continue;
    if (rest.length === 0 && entry.isFile()) yield join(folder, entry.name);
    else if (rest.length > 0 && entry.isDirectory()) yield* filesAt(join(folder, entry.name), rest, depth);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

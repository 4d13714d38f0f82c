import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { InstructionFile } from "@harness/core";
import { isSecret } from "@harness/gate";
import { readFileStart } from "@harness/host";
import { findRepository } from "./git-state.ts";

/** In each folder the first of these is used. */
const names = ["TINYHARNESS.md", ".tinyharness.md", "AGENTS.md", "CLAUDE.md"];
const MAX_CHARACTERS = 20_000;
/** The largest size in bytes of that many characters in UTF-8. */
const MAX_BYTES = 4 * MAX_CHARACTERS;

export type InstructionPlaces = {
  /** The folder of the global file. */
  configFolder: string;
  home: string;
  /** Does this file lie in a folder that is not trusted? */
  isUntrusted(file: string): boolean;
};

/**
 * The instruction files for a folder, global first, nearest last. Parents are searched up to the home folder when the
 * folder lies in it, otherwise up to the root of its repository: a file in a shared place such as /tmp instructs no
 * one. The text goes to the model, so a link in a cloned folder must not lead to one of the person's own files.
 */
export async function readInstructionFiles(
  cwd: string,
  { configFolder, home, isUntrusted }: InstructionPlaces,
): Promise<InstructionFile[]> {
  const folders = [configFolder, ...(await foldersAbove(cwd, home))];
  const found = await Promise.all(folders.map((folder) => readFirst(folder, folder === configFolder)));
  const files = found.filter((file) => file !== undefined);
  const isOwn = (path: string) => [configFolder, home].includes(dirname(path));
  return files.map((file) => (isOwn(file.path) || !isUntrusted(file.path) ? file : { ...file, untrusted: true }));
}

async function foldersAbove(cwd: string, home: string): Promise<string[]> {
  const inHome = home !== "" && !relative(home, cwd).startsWith("..");
  const top = inHome ? home : ((await findRepository(cwd))?.root ?? cwd);
  const folders = [cwd];
  for (let folder = cwd; folder !== top && dirname(folder) !== folder; ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

/** In the person's own folder links may lead anywhere; elsewhere only to a file below the same folder. */
async function readFirst(folder: string, isOwn: boolean): Promise<InstructionFile | undefined> {
  const realFolder = await realpath(folder).catch(() => undefined);
  if (realFolder === undefined) return undefined;
  for (const name of names) {
    const path = join(folder, name);
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || !mayBeRead(relative(realFolder, real), isOwn)) continue;
    const start = await readFileStart(real, MAX_BYTES);
    const text = start?.bytes.toString("utf8").trim();
    if (start && text) return { path, text: cut(text, start.sizeBytes) };
  }
  return undefined;
}

function mayBeRead(pathInFolder: string, isOwn: boolean): boolean {
  const isBelow = pathInFolder.split("/")[0] !== ".." && !isAbsolute(pathInFolder);
  return (isBelow || isOwn) && !isSecret(pathInFolder);
}

/** Long files keep their first 70 % and last 30 %; of huge files only the beginning is read. */
function cut(text: string, sizeBytes: number): string {
  const isHuge = sizeBytes > MAX_BYTES;
  if (text.length <= MAX_CHARACTERS && !isHuge) return text;
  if (isHuge) {
    return `${text.slice(0, MAX_CHARACTERS)}\n[… cut here; the file has ${sizeBytes} bytes …]`.toWellFormed();
  }
  const head = text.slice(0, MAX_CHARACTERS * 0.7);
  const tail = text.slice(-MAX_CHARACTERS * 0.3);
  return `${head}\n[… ${text.length - MAX_CHARACTERS} characters left out …]\n${tail}`.toWellFormed();
}

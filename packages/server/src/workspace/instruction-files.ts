import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { InstructionFile } from "@harness/core";
import { findRepository } from "./git-state.ts";

/** In each folder the first of these counts. */
const names = ["TINYHARNESS.md", ".tinyharness.md", "AGENTS.md", "CLAUDE.md"];
const MOST_CHARACTERS = 20_000;

/**
 * The instruction files that hold for a folder, global first, nearest last. Parents are searched up to the home folder
 * when the folder lies in it, else up to its repository's root: a file in a shared place such as /tmp is nobody's word.
 */
export async function readInstructionFiles(
  cwd: string,
  globalFolder: string,
  home: string,
): Promise<InstructionFile[]> {
  const folders = [globalFolder, ...(await foldersAbove(cwd, home))];
  const found = await Promise.all(folders.map(readFirst));
  return found.filter((file) => file !== undefined);
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

async function readFirst(folder: string): Promise<InstructionFile | undefined> {
  for (const name of names) {
    const path = join(folder, name);
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text !== undefined && text.trim() !== "") return { path, text: cut(text.trim()) };
  }
  return undefined;
}

/** Long files keep their first 70 % and last 30 %, as the first seed has it. */
function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const head = text.slice(0, MOST_CHARACTERS * 0.7);
  const tail = text.slice(-MOST_CHARACTERS * 0.3);
  return `${head}\n[… ${text.length - MOST_CHARACTERS} characters left out …]\n${tail}`.toWellFormed();
}

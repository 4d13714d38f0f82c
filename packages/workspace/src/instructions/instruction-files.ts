import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { InstructionFile } from "@harness/core";
import { findRepository } from "../files/git-state.ts";
import { instructionNames, readFirst, readInstructions } from "./read-instructions.ts";

/** Files for other agents, read if the user has none for harness. */
const otherGlobals = [".claude/CLAUDE.md", ".codex/AGENTS.md", ".gemini/GEMINI.md", ".config/opencode/AGENTS.md"];
/** The number of subfolders of the working folder to search at once. */
const MAX_NESTED = 100;

export type InstructionLocations = {
  /** The folder of the global file. */
  configFolder: string;
  home: string;
  /** Whether this file is in an untrusted folder. */
  isUntrusted(file: string): boolean;
  /** The folders that contain a `.harness`, which may be above the project. */
  besideSources(): readonly string[];
};

/** The instruction files of the user and of projects, for a folder. */
export class InstructionFiles {
  readonly #folder: string;
  readonly #places: InstructionLocations;

  constructor(folder: string, places: InstructionLocations) {
    this.#folder = folder;
    this.#places = places;
  }

  /**
   * The files in effect: the global one first, then from the outermost folder to the nearest, finally those named
   * explicitly. Parents are searched up to the home folder if the folder is inside it, otherwise up to the root of its
   * repository: a file in a shared place such as /tmp instructs no one. Above that, only trusted folders that contain a
   * `.harness` count.
   */
  async read(named: readonly string[] = []): Promise<InstructionFile[]> {
    const { home, besideSources } = this.#places;
    const cwd = this.#folder;
    const top = await topFolder(cwd, home);
    const folders = foldersBetween(top, cwd);
    const above = besideSources().filter((folder) => !folders.includes(folder));
    const [global, outer, inner, extra] = await Promise.all([
      this.#global(),
      Promise.all(above.map((folder) => this.#first(folder))),
      Promise.all(folders.map((folder) => this.#first(folder))),
      Promise.all(named.map((path) => this.#named(path, folders))),
    ]);
    const trusted = outer.filter((file) => !file?.untrusted);
    const all = [global, ...trusted, ...inner, ...extra].filter((file) => file !== undefined);
    return all.filter(({ path }, index) => all.findIndex((each) => each.path === path) === index);
  }

  /** The files of these folders and their parents, as far as they are below this one; outermost first. */
  async below(folders: readonly string[]): Promise<(InstructionFile & { sha256: string })[]> {
    const root = await realpath(this.#folder).catch(() => this.#folder);
    const all = new Set<string>();
    for (const folder of folders) {
      const real = await realpath(folder).catch(() => undefined);
      if (real === undefined || real === root || relative(root, real).startsWith("..")) continue;
      for (const each of foldersBetween(root, real).slice(1)) all.add(each);
    }
    const found = await Promise.all([...all].slice(0, MAX_NESTED).map((folder) => this.#first(folder)));
    const files = found.filter((file) => file !== undefined).sort((a, b) => (a.path < b.path ? -1 : 1));
    return files.map((file) => ({ ...file, sha256: createHash("sha256").update(file.text).digest("hex") }));
  }

  /** An empty file for harness is enough to disable those for other agents. */
  async #global(): Promise<InstructionFile | undefined> {
    const { configFolder, home } = this.#places;
    const owner = { home, isOwn: true };
    const own = await readFirst(configFolder, owner);
    if (own || instructionNames.some((name) => existsSync(join(configFolder, name)))) return own;
    for (const name of otherGlobals) {
      const file = await readInstructions(join(home, name), owner);
      if (file && file.text !== "") return file;
    }
    return undefined;
  }

  async #first(folder: string): Promise<InstructionFile | undefined> {
    const { home } = this.#places;
    const file = await readFirst(folder, { home, isOwn: folder === home });
    return file && this.#judged(file);
  }

  /** A relative path is looked up in the working folder, then in its parents. */
  async #named(path: string, folders: readonly string[]): Promise<InstructionFile | undefined> {
    const { home } = this.#places;
    const whole = path.replace(/^~(?=\/)/, home);
    const places = isAbsolute(whole) ? [whole] : folders.toReversed().map((folder) => resolve(folder, whole));
    for (const place of places) {
      const file = await readInstructions(place, { home, isOwn: isAbsolute(whole) });
      if (file && file.text !== "") return this.#judged(file);
    }
    return undefined;
  }

  #judged(file: InstructionFile): InstructionFile {
    if (dirname(file.path) === this.#places.home || !this.#places.isUntrusted(file.path)) return file;
    return { ...file, untrusted: true };
  }
}

async function topFolder(cwd: string, home: string): Promise<string> {
  const inHome = home !== "" && !relative(home, cwd).startsWith("..");
  return inHome ? home : ((await findRepository(cwd))?.root ?? cwd);
}

/** Includes both, outermost first. */
function foldersBetween(top: string, folder: string): string[] {
  const folders = [folder];
  for (let each = folder; each !== top && dirname(each) !== each; ) {
    each = dirname(each);
    folders.unshift(each);
  }
  return folders;
}

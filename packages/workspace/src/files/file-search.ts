import type { FileList, FoundFiles } from "@harness/core";
import { fuzzyMatch } from "./fuzzy-match.ts";

/** Typing searches many times in a row: a recent list is reused. */
const FRESH_MS = 3_000;

type Listing = { at: number; paths: Promise<string[]> };

/** Finds the files of a folder by fuzzy name, for `@` completion. */
export class FileSearch {
  readonly #folder: string;
  readonly #list: Pick<FileList, "all">;
  readonly #now: () => number;
  #listing: Listing | undefined;

  constructor(folder: string, list: Pick<FileList, "all">, now: () => number) {
    this.#folder = folder;
    this.#list = list;
    this.#now = now;
  }

  /** Paths relative to the folder, best first; folders end in `/`. */
  async find(query: string, limit: number): Promise<string[]> {
    const at = this.#now();
    if (!this.#listing || at - this.#listing.at > FRESH_MS)
      this.#listing = { at, paths: this.#list.all(this.#folder).then(withFolders) };
    const scored: { path: string; score: number }[] = [];
    for (const path of await this.#listing.paths) {
      const score = fuzzyMatch(path, query);
      if (score !== undefined) scored.push({ path, score });
    }
    scored.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
    return scored.slice(0, limit).map((each) => each.path);
  }
}

function withFolders({ files }: FoundFiles): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.indexOf("/"); end !== -1; end = file.indexOf("/", end + 1)) folders.add(file.slice(0, end + 1));
  }
  return [...folders, ...files];
}

import { realpath } from "node:fs/promises";
import { gitOutput } from "@harness/host";
import { findFiles } from "@harness/tools";
import { fuzzyMatch } from "./fuzzy-match.ts";
import { gitEnv } from "./git-env.ts";
import { findRepository } from "./git-state.ts";

const MAX_FILES = 100_000;
const MAX_WALK_MS = 5_000;
/** Typing searches many times in a row: a list this young is reused. */
const FRESH_MS = 3_000;

type Listing = { at: number; paths: Promise<string[]> };

/** Finds the files of a folder by fuzzy names, for `@` completion. */
export class FileSearch {
  readonly #folder: string;
  readonly #now: () => number;
  #listing: Listing | undefined;

  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Paths relative to the folder, the best first; folders end in `/`. */
  async find(query: string, limit: number): Promise<string[]> {
    const at = this.#now();
    if (!this.#listing || at - this.#listing.at > FRESH_MS)
      this.#listing = { at, paths: listFiles(this.#folder).then(withFolders) };
    const scored: { path: string; score: number }[] = [];
    for (const path of await this.#listing.paths) {
      const score = fuzzyMatch(path, query);
      if (score !== undefined) scored.push({ path, score });
    }
    scored.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
    return scored.slice(0, limit).map((each) => each.path);
  }
}

function withFolders(files: string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.indexOf("/"); end !== -1; end = file.indexOf("/", end + 1)) folders.add(file.slice(0, end + 1));
  }
  return [...folders, ...files];
}

/** Git knows the ignored files; without a repository the file system is walked. */
async function listFiles(cwd: string): Promise<string[]> {
  return (await listWithGit(cwd)) ?? (await walk(cwd));
}

async function listWithGit(cwd: string): Promise<string[] | undefined> {
  const repository = await findRepository(cwd);
  const env = gitEnv(repository?.root ?? cwd);
  const args = ["-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const output = await gitOutput({ command: "git", args, cwd, env, timeoutMs: 5_000, maxOutputBytes: 64 << 20 });
  return output?.split("\0").filter(Boolean).slice(0, MAX_FILES);
}

async function walk(cwd: string): Promise<string[]> {
  const base = await realpath(cwd).catch(() => cwd);
  const patterns = ["**/*", "!**/__pycache__"];
  const { files } = await findFiles({ base, patterns, cwd: base, signal: AbortSignal.timeout(MAX_WALK_MS) });
  return files.slice(0, MAX_FILES);
}

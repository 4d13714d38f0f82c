import { readdir } from "node:fs/promises";
import { runGit } from "@harness/host";
import { gitEnv } from "./git-env.ts";
import { findRepository } from "./git-state.ts";

/** Folders that are never listed, whatever the project's ignore file says. */
const noise = new Set(["node_modules", "__pycache__", "target", "dist", "build", "venv"]);
/** Of more names git is not asked. */
const MAX_ASKED = 1_000;
/** The longest time that a request waits for git. */
const GIT_PATIENCE_MS = 250;

/** The names in a folder, folders first and ending in `/`, without hidden ones and those that git ignores. Never fails. */
export async function folderEntries(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const visible = found.filter(({ name }) => !name.startsWith(".") && !noise.has(name));
  const isFolder = new Map(visible.map((entry) => [entry.name, entry.isDirectory()]));
  const names = visible.map(({ name }) => name).sort();
  const ignored = await ignoredNames(folder, names.slice(0, MAX_ASKED));
  const shown = names.filter((name) => !ignored.has(name));
  const folders = shown.filter((name) => isFolder.get(name)).map((name) => `${name}/`);
  return [...folders, ...shown.filter((name) => !isFolder.get(name))];
}

/**
 * The names that git ignores; empty if git fails, or is too slow. It reads patterns and its index, and runs no program.
 */
export async function ignoredNames(folder: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const repository = names.length === 0 ? undefined : await findRepository(folder);
  if (!repository) return new Set();
  const run = {
    command: "git",
    args: ["-c", "core.fsmonitor=false", "check-ignore", "-z", "--stdin"],
    cwd: folder,
    env: gitEnv(repository.root),
    input: names.map((name) => `./${name}\0`).join(""),
    timeoutMs: GIT_PATIENCE_MS,
    maxOutputBytes: 1 << 20,
  };
  const end = await runGit(run).catch(() => undefined);
  if (end?.code !== 0) return new Set();
  const paths = end.output.toString("utf8").split("\0").filter(Boolean);
  return new Set(paths.map((path) => path.replace(/^\.\//, "")));
}

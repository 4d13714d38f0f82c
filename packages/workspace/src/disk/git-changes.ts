import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { gitOutput } from "@harness/host";
import type { DiskChange, DiskChanges, DiskState } from "../diagnostics/disk-changes.ts";
import type { GitEnvironments } from "../files/git-env.ts";
import { findRepository } from "../files/git-state.ts";

const PATIENCE_MS = 2_000;
const MAX_OUTPUT_BYTES = 1_000_000;
const MAX_FILES = 2_000;
const MAX_CHANGES = 500;
const STATUS = ["status", "--porcelain=v2", "--branch", "-z", "--no-renames", "-uall", "--ignore-submodules=all"];

/**
 * Finds the files of a repository that others have changed, by git's own view: ignored ones such as `node_modules` are
 * not looked at, and the costs do not grow with what was changed before.
 */
export class GitChanges implements DiskChanges {
  readonly #git: GitEnvironments;

  constructor(git: GitEnvironments) {
    this.#git = git;
  }

  /** Undefined outside a repository, with too many changes, and if git does not answer soon. Never rejects. */
  async now(cwd: string): Promise<DiskState | undefined> {
    try {
      const repository = await findRepository(cwd);
      const output = repository && (await this.#ask(cwd, STATUS));
      if (!repository || output === undefined) return undefined;
      const { head, paths, untracked } = readStatus(output);
      if (paths.length > MAX_FILES) return undefined;
      const { root } = repository;
      const stamps = await Promise.all(paths.map(async (path) => [path, await stampOf(join(root, path))] as const));
      return { root, head, untracked, stamps: new Map(stamps) };
    } catch {
      return undefined;
    }
  }

  /** The files that have changed between two looks; the most are bounded. */
  async between(cwd: string, before: DiskState, now: DiskState): Promise<DiskChange[]> {
    const committed = now.head === before.head ? NONE : await this.#committed(cwd, before.head, now.head);
    const names = new Set(committed.keys());
    for (const name of new Set([...before.stamps.keys(), ...now.stamps.keys()]))
      if (before.stamps.get(name) !== now.stamps.get(name)) names.add(name);
    const changed = [...names].slice(0, MAX_CHANGES).map(async (name): Promise<DiskChange[]> => {
      const path = join(now.root, name);
      const stamp = await stampOf(path);
      // It is committed now, and the same as before.
      if (stamp === before.stamps.get(name)) return [];
      if (stamp === REMOVED) return [{ path, how: "removed" }];
      const wasThere = before.stamps.has(name) ? before.stamps.get(name) !== REMOVED : !now.untracked.has(name);
      return [{ path, how: wasThere && committed.get(name) !== "A" ? "changed" : "created" }];
    });
    return (await Promise.all(changed)).flat();
  }

  /** Git's letters for the files that differ between two commits. */
  async #committed(cwd: string, before: string, now: string): Promise<ReadonlyMap<string, string>> {
    const diff = ["diff", "--name-status", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=all"];
    const output = await this.#ask(cwd, [...diff, before, now]).catch(() => undefined);
    const fields = output?.split("\0") ?? [];
    const letters = new Map<string, string>();
    for (let at = 0; at + 1 < fields.length; at += 2) letters.set(fields[at + 1] ?? "", fields[at] ?? "");
    return letters;
  }

  async #ask(cwd: string, args: readonly string[]): Promise<string | undefined> {
    const env = await this.#git.withoutFilters(cwd, PATIENCE_MS);
    if (!env) return undefined;
    const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
    return await gitOutput({ command: "git", args, cwd, env, ...limits });
  }
}

const REMOVED = "removed";
const NONE: ReadonlyMap<string, string> = new Map();

function readStatus(output: string): { head: string; paths: string[]; untracked: Set<string> } {
  let head = "";
  const paths: string[] = [];
  const untracked = new Set<string>();
  for (const entry of output.split("\0")) {
    const [kind = ""] = entry;
    if (entry.startsWith("# branch.oid ")) head = entry.slice("# branch.oid ".length);
    // The path is the ninth field of a change, the eleventh of a conflict (git-status, porcelain format 2).
    else if (kind === "1") paths.push(entry.split(" ").slice(8).join(" "));
    else if (kind === "u") paths.push(entry.split(" ").slice(10).join(" "));
    else if (kind === "?") untracked.add(entry.slice(2));
  }
  return { head, paths: [...paths, ...untracked], untracked };
}

async function stampOf(path: string): Promise<string> {
  const info = await lstat(path, { bigint: true }).catch(() => undefined);
  return info ? `${info.ino} ${info.size} ${info.mtimeNs} ${info.ctimeNs}` : REMOVED;
}

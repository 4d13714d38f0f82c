import type {
  Changes,
  CheckpointSpan,
  Checkpoints,
  CheckpointTaken,
  DiffPage,
  FileDiffs,
  RevertOptions,
} from "@harness/core";
import type { FileChange, RestoredFile } from "@harness/protocol";

type Files = ReadonlyMap<string, string>;

/** States of a map of files that a test's tools change. Files changed since are kept, never merged. */
export class MemoryCheckpoints implements Checkpoints {
  readonly files: Map<string, string>;
  /** How often the files were stored. */
  taken = 0;
  /** Says why they cannot be stored; undefined if they can. */
  broken: () => string | undefined = () => undefined;
  /** Files that the system refuses to write. */
  readonly unwritable = new Set<string>();
  /** Called before the files are read. */
  beforeTake: (signal: AbortSignal | undefined) => Promise<void> = async () => undefined;
  readonly #states = new Map<string, Files>();
  readonly #root: string;

  constructor(files: Map<string, string>, root = "/work") {
    this.files = files;
    this.#root = `${root}/`;
  }

  hasAny(): boolean {
    return this.taken > 0;
  }

  async take(
    signal?: AbortSignal,
    unsaved: ReadonlyMap<string, Uint8Array> = new Map(),
  ): Promise<CheckpointTaken | { problem: string }> {
    await this.beforeTake(signal);
    const problem = this.broken();
    if (problem !== undefined) return { problem };
    this.taken += 1;
    const state = new Map(this.files);
    for (const [path, bytes] of unsaved) state.set(path, new TextDecoder().decode(bytes));
    const key = JSON.stringify([...state].sort());
    const known = [...this.#states].find(([, files]) => JSON.stringify([...files].sort()) === key);
    if (known) return { checkpointId: known[0] };
    const checkpointId = `state-${this.#states.size + 1}`;
    this.#states.set(checkpointId, state);
    return { checkpointId };
  }

  async compare(before: string, after: string): Promise<Changes | { problem: string }> {
    const pair = this.#pair(before, after);
    if ("problem" in pair) return pair;
    const files = changedPaths(pair).map((path): FileChange => {
      const [old, now] = [pair.before.get(path), pair.after.get(path)];
      const change = old === undefined ? "create" : now === undefined ? "delete" : "modify";
      return { path: this.#shown(path), change, added: lines(now), removed: lines(old) };
    });
    const sum = (key: "added" | "removed") => files.reduce((total, each) => total + each[key], 0);
    return { files, moreFiles: 0, added: sum("added"), removed: sum("removed") };
  }

  /** Replaces whole files. */
  async diff(
    stretches: readonly CheckpointSpan[],
    { offset, limit }: DiffPage,
  ): Promise<FileDiffs | { problem: string }> {
    const states = new Map<string, { old: string | undefined; now: string | undefined }>();
    for (const { before, after, paths } of stretches) {
      const pair = this.#pair(before, after);
      if ("problem" in pair) return pair;
      for (const path of changedPaths(pair)) {
        if (paths && !paths.includes(this.#shown(path))) continue;
        const old = states.has(path) ? states.get(path)?.old : pair.before.get(path);
        states.set(path, { old, now: pair.after.get(path) });
      }
    }
    const all = [...states].filter(([, { old, now }]) => old !== now).sort(([a], [b]) => (a < b ? -1 : 1));
    const files = all.map(([path, { old, now }]) => ({
      path: this.#shown(path),
      change: old === undefined ? ("create" as const) : now === undefined ? ("delete" as const) : ("modify" as const),
      added: lines(now),
      removed: lines(old),
      hunks: `-${old ?? ""}\n+${now ?? ""}`,
    }));
    const sum = (key: "added" | "removed") => files.reduce((total, each) => total + each[key], 0);
    const end = offset + limit;
    const more = end < files.length ? { nextOffset: end } : {};
    const counts = { changedFiles: files.length, added: sum("added"), removed: sum("removed") };
    return { files: files.slice(offset, end), ...more, ...counts };
  }

  async revert(before: string, after: string, { includes = () => true }: RevertOptions = {}) {
    const pair = this.#pair(before, after);
    if ("problem" in pair) return pair;
    const files = changedPaths(pair).flatMap((path): RestoredFile[] => {
      const [old, done, now] = [pair.before.get(path), pair.after.get(path), this.files.get(path)];
      const shown = this.#shown(path);
      if (now === old || !includes(shown)) return [];
      if (now !== done) return [{ path: shown, outcome: "kept", why: "it was changed since" }];
      if (this.unwritable.has(shown)) return [{ path: shown, outcome: "failed", why: "it is not permitted, EPERM" }];
      if (old === undefined) this.files.delete(path);
      else this.files.set(path, old);
      return [{ path: shown, outcome: old === undefined ? "deleted" : "restored" }];
    });
    return { files };
  }

  #pair(before: string, after: string): { before: Files; after: Files } | { problem: string } {
    const [one, other] = [this.#states.get(before), this.#states.get(after)];
    return one && other ? { before: one, after: other } : { problem: "The files from that time are no longer stored." };
  }

  #shown(path: string): string {
    return path.startsWith(this.#root) ? path.slice(this.#root.length) : path;
  }
}

function changedPaths({ before, after }: { before: Files; after: Files }): string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((path) => before.get(path) !== after.get(path)).sort();
}

function lines(text: string | undefined): number {
  return text === undefined || text === "" ? 0 : text.split("\n").length;
}

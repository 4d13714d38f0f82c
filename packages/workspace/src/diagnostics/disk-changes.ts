/** The files of a folder that differ from its last commit, each with a stamp of its content, and that commit. */
export type DiskState = {
  readonly root: string;
  readonly head: string;
  readonly stamps: ReadonlyMap<string, string>;
  readonly untracked: ReadonlySet<string>;
};

/** A file that has changed on disk; absolute. */
export type DiskChange = { readonly path: string; readonly how: "created" | "changed" | "removed" };

/** Finds files of folders that anybody has changed. */
export interface DiskChanges {
  /** Undefined where that cannot be known. Never rejects. */
  now(cwd: string): Promise<DiskState | undefined>;
  /** The files that have changed between two looks, at most some hundreds. Never rejects. */
  between(cwd: string, before: DiskState, now: DiskState): Promise<DiskChange[]>;
}

/** Different text whenever something has changed. */
export function stateText({ head, stamps }: DiskState): string {
  return JSON.stringify([head, [...stamps].sort()]);
}

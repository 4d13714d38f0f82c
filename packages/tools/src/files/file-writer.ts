import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import type { FileStamp } from "@harness/core";
import { removeIfThere } from "@harness/host";
import { sha256 } from "./digest.ts";
import type { PinnedFolder } from "./opened-place.ts";
import { type FileEdit, PreparedChange } from "./prepared-change.ts";

const TEMP_NAME = /^\.harness-[0-9a-f]{12}\.tmp$/;
const STALE_MS = 60 * 60 * 1000;

/**
 * `stamps`: the files as written, in the order of the changes; undefined: the file was removed. Otherwise the change
 * that failed, and `left`: the positions of those that could not be undone.
 */
export type WriteResult = { stamps: (FileStamp | undefined)[] } | { failed: number; error: unknown; left: number[] };

/** Writes files completely or not at all, and several together or none. One instance for all tools of a session. */
export class FileWriter {
  readonly #sweptFolders = new Set<string>();

  /**
   * Carries out these changes, all or none: everything that needs disk space is first written next to each file and
   * flushed, then everything is renamed. The problem is a `ChangedMeanwhile` or a disk error.
   */
  async write(changes: readonly FileEdit[]): Promise<WriteResult> {
    const prepared: PreparedChange[] = [];
    let at = 0;
    try {
      for (const change of changes) {
        prepared.push(
          new PreparedChange(change, { keepsOld: changes.length > 1 }, (folder, path) => this.#enter(folder, path)),
        );
        at++;
      }
      for (at = 0; at < prepared.length; at++) prepared[at]?.check();
      const placed: (BigIntStats | undefined)[] = [];
      for (at = 0; at < prepared.length; at++) placed.push(prepared[at]?.carryOut());
      return { stamps: await Promise.all(changes.map(({ bytes }, i) => stampOf(bytes, placed[i]))) };
    } catch (error) {
      // In reverse, so that folders created for an earlier change are empty by then.
      const taken = prepared.toReversed().map((each) => each.takeBack());
      return { failed: at, error, left: taken.reverse().flatMap((isBack, i) => (isBack ? [] : [i])) };
    } finally {
      for (const each of prepared.toReversed()) each.end();
    }
  }

  /** Removes the leftovers of a crash during a write in this folder; once per folder, because it needs a listing. */
  #enter(folder: PinnedFolder, path: string): void {
    if (this.#sweptFolders.has(path)) return;
    this.#sweptFolders.add(path);
    for (const name of readdirSync(folder.entry("."))) {
      if (!TEMP_NAME.test(name)) continue;
      const entry = folder.entry(name);
      const found = lstatSync(entry, { throwIfNoEntry: false });
      if (found?.isFile() && Date.now() - found.mtimeMs > STALE_MS) removeIfThere(entry);
    }
  }
}

async function stampOf(bytes: Buffer | undefined, placed: BigIntStats | undefined): Promise<FileStamp | undefined> {
  if (!bytes || !placed) return undefined;
  return { sizeBytes: bytes.length, sha256: await sha256(bytes), mtimeMs: Number(placed.mtimeMs) };
}

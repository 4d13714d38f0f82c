import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import type { FileStamp } from "@harness/core";
import { removeIfThere } from "@harness/host";
import type { FileBuffers } from "../buffers/file-buffers.ts";
import { sha256 } from "../files/digest.ts";
import type { PinnedFolder } from "../files/opened-place.ts";
import { EditorWriter } from "./editor-writer.ts";
import { type FileEdit, PreparedChange } from "./prepared-change.ts";

const TEMP_NAME = /^\.harness-[0-9a-f]{12}\.tmp$/;
const STALE_MS = 60 * 60 * 1000;

/**
 * `stamps`: the files as they are now, in the order of the changes; undefined: the file was removed. `otherwise`: what a
 * file has become instead, if its editor has changed it at once.
 */
export type WrittenFiles = { stamps: (FileStamp | undefined)[]; otherwise: (Buffer | undefined)[] };

/** Otherwise the change that failed, and `left`: the positions of those that could not be undone. */
export type WriteResult = WrittenFiles | { failed: number; error: unknown; left: number[] };

/** Writes files completely or not at all, and several together or none. One instance for all tools of a session. */
export class FileWriter {
  readonly #sweptFolders = new Set<string>();
  readonly #buffers: FileBuffers | undefined;

  /** `buffers`: files that the person may have open in an editor; absent: files are only on disk. */
  constructor(buffers?: FileBuffers) {
    this.#buffers = buffers;
  }

  /**
   * Carries out these changes, all or none: everything that needs disk space is first written next to each file and
   * flushed, then files in an editor go through it, and everything else is renamed. The problem is a
   * `WriteConflictError`, an `EditorWriteError` or a disk error.
   */
  async write(changes: readonly FileEdit[], signal?: AbortSignal): Promise<WriteResult> {
    const prepared: PreparedChange[] = [];
    const editor = this.#editor(signal);
    const saved = new Set<PreparedChange>();
    let at = 0;
    try {
      for (const change of changes) {
        // An editor may refuse a file with a second name, or write into both.
        const keepsOld = changes.length > 1 && !editor?.takes(change);
        prepared.push(new PreparedChange(change, { keepsOld }, (folder, path) => this.#enter(folder, path)));
        at++;
      }
      for (at = 0; at < prepared.length; at++) prepared[at]?.check();
      // Without an editor nothing is awaited from here on.
      for (at = 0; editor && at < prepared.length; at++) {
        const [change, own] = [changes[at], prepared[at]];
        if (change && own && (await editor.put(change, own, { isAlone: changes.length === 1 }))) saved.add(own);
      }
      const placed: (BigIntStats | undefined)[] = [];
      for (at = 0; at < prepared.length; at++) {
        const own = prepared[at];
        placed.push(own && saved.has(own) ? own.placed() : own?.carryOut());
      }
      const otherwise = editor ? await Promise.all(changes.map((change) => editor.otherwise(change))) : [];
      const stamps = changes.map(({ bytes }, i) =>
        stampOf(otherwise[i] ?? bytes, otherwise[i] ? undefined : placed[i]),
      );
      return { stamps: await Promise.all(stamps), otherwise };
    } catch (error) {
      const inEditor = (await editor?.takeBack()) ?? new Map<string, boolean>();
      // In reverse, so that folders created for an earlier change are empty by then.
      const taken = prepared.toReversed().map((each, i) => {
        const { realPath } = changes[prepared.length - 1 - i] ?? { realPath: "" };
        return inEditor.get(realPath) ?? each.takeBack();
      });
      return { failed: at, error, left: taken.reverse().flatMap((isBack, i) => (isBack ? [] : [i])) };
    } finally {
      for (const each of prepared.toReversed()) each.end();
    }
  }

  #editor(signal = new AbortController().signal): EditorWriter | undefined {
    const { read = false, write = false } = this.#buffers?.offer ?? {};
    return this.#buffers && (read || write) ? new EditorWriter(this.#buffers, signal) : undefined;
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

/** Without the file on disk, the time at which it was written says nothing about this content. */
async function stampOf(bytes: Buffer | undefined, placed: BigIntStats | undefined): Promise<FileStamp | undefined> {
  if (!bytes) return undefined;
  const stamp = { sizeBytes: bytes.length, sha256: await sha256(bytes) };
  return placed ? { ...stamp, mtimeMs: Number(placed.mtimeMs) } : stamp;
}

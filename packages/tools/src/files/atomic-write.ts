import { randomBytes } from "node:crypto";
import { type BigIntStats, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { FileStamp } from "@harness/core";
import { removeIfThere, writeAtomically } from "@harness/host";
import { sha256 } from "./digest.ts";
import { type PinnedFolder, pinFolder } from "./opened-place.ts";

const TEMP_NAME = /^\.harness-[0-9a-f]{12}\.tmp$/;
const STALE_MS = 60 * 60 * 1000;
const sweptFolders = new Set<string>();

/** Another program changed the file between reading and writing it. */
export class ChangedMeanwhile extends Error {}

/**
 * Puts `bytes` where `realPath` points, wholly or not at all: a new file beside it, flushed to disk, then renamed over
 * it. `before` is the file as it was read, absent for a new one; its mode and owner are kept. `realPath` must have no
 * links in it. Throws `ChangedMeanwhile` or what the disk reports; nothing is left behind then.
 */
export async function atomicWrite(realPath: string, bytes: Buffer, before?: BigIntStats): Promise<FileStamp> {
  const path = dirname(realPath);
  if (!before) mkdirSync(path, { recursive: true });
  const folder = pinFolder(path);
  if (!folder) throw new ChangedMeanwhile();
  try {
    if (!sweptFolders.has(path)) removeStaleTemps(folder);
    sweptFolders.add(path);
    const target = folder.entry(basename(realPath));
    writeAtomically(target, bytes, {
      ...(before ? likeOriginal(before) : { mode: 0o666 }),
      durable: "content",
      temporary: folder.entry(`.harness-${randomBytes(6).toString("hex")}.tmp`),
      beforeRename: () => {
        if (!folder.isInPlace() || !isUnchanged(target, before)) throw new ChangedMeanwhile();
      },
    });
    const { mtimeNs } = lstatSync(target, { bigint: true });
    return { sizeBytes: bytes.length, mtimeNs, sha256: await sha256(bytes) };
  } finally {
    folder.close();
  }
}

function likeOriginal({ mode, uid, gid }: BigIntStats) {
  return { mode: Number(mode) & 0o7777, owner: { uid: Number(uid), gid: Number(gid) } };
}

function isUnchanged(path: string, before: BigIntStats | undefined): boolean {
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!before || !now) return before === now;
  return now.ino === before.ino && now.mtimeNs === before.mtimeNs && now.size === before.size;
}

/** Removes what a crash in the middle of a write left in this folder; once a folder, as it costs a listing. */
function removeStaleTemps(folder: PinnedFolder): void {
  for (const name of readdirSync(folder.entry("."))) {
    if (!TEMP_NAME.test(name)) continue;
    const path = folder.entry(name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isFile() && Date.now() - found.mtimeMs > STALE_MS) removeIfThere(path);
  }
}

import type { BigIntStats } from "node:fs";
import { lstat, mkdir, open, readdir, rename, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { FileStamp } from "@harness/core";
import { sha256 } from "./digest.ts";
import { errorCode } from "./file-problem.ts";
import { type HeldFolder, holdFolder } from "./opened-place.ts";

const TEMP_NAME = /^\.harness-[0-9a-f]{12}\.tmp$/;
const STALE_MS = 60 * 60 * 1000;
const sweptFolders = new Set<string>();

/** Somebody else changed the file between reading and writing it. */
export class ChangedMeanwhile extends Error {}

/**
 * Puts `bytes` where `realPath` points, wholly or not at all: a new file beside it, flushed to disk, then renamed over
 * it. `before` is the file as it was read, absent for a new one; its mode and owner are kept. `realPath` must have no
 * links in it. Throws `ChangedMeanwhile` or what the disk reports; nothing is left behind then.
 */
export async function atomicWrite(realPath: string, bytes: Buffer, before?: BigIntStats): Promise<FileStamp> {
  const path = dirname(realPath);
  if (!before) await mkdir(path, { recursive: true });
  const folder = await holdFolder(path);
  if (!folder) throw new ChangedMeanwhile();
  try {
    if (!sweptFolders.has(path)) await removeStaleTemps(folder);
    sweptFolders.add(path);
    const mtimeNs = await replaceIn(folder, basename(realPath), bytes, before);
    return { sizeBytes: bytes.length, mtimeNs, sha256: await sha256(bytes) };
  } finally {
    await folder.close();
  }
}

/** Answers when the new file was last changed. */
async function replaceIn(folder: HeldFolder, name: string, bytes: Buffer, before?: BigIntStats): Promise<bigint> {
  const { randomBytes } = await import("node:crypto");
  const temp = folder.entry(`.harness-${randomBytes(6).toString("hex")}.tmp`);
  const target = folder.entry(name);
  // A new file gets what the umask leaves; a copy stays private until it has the mode of its original.
  const handle = await open(temp, "wx", before ? 0o600 : 0o666);
  try {
    try {
      await handle.writeFile(bytes);
      if (before) await keepOwnerAndMode(handle, before);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!(await folder.isInPlace())) throw new ChangedMeanwhile();
    await mustBeUnchanged(target, before);
    await rename(temp, target);
  } catch (error) {
    await unlink(temp).catch(() => undefined);
    throw error;
  }
  return (await lstat(target, { bigint: true })).mtimeNs;
}

async function keepOwnerAndMode(handle: Awaited<ReturnType<typeof open>>, before: BigIntStats): Promise<void> {
  const now = await handle.stat({ bigint: true });
  if (now.uid !== before.uid || now.gid !== before.gid) {
    // Only root may give files away; for everybody else the writer becomes the owner, as with any editor.
    await handle.chown(Number(before.uid), Number(before.gid)).catch(() => undefined);
  }
  await handle.chmod(Number(before.mode) & 0o7777);
}

async function mustBeUnchanged(path: string, before: BigIntStats | undefined): Promise<void> {
  let now: BigIntStats | undefined;
  try {
    now = await lstat(path, { bigint: true });
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  if (!before && !now) return;
  const same = before && now && now.ino === before.ino && now.mtimeNs === before.mtimeNs && now.size === before.size;
  if (!same) throw new ChangedMeanwhile();
}

/** Clears what a crash in the middle of a write left in this folder; once a folder, as it costs a listing. */
async function removeStaleTemps(folder: HeldFolder): Promise<void> {
  for (const name of await readdir(folder.entry("."))) {
    if (!TEMP_NAME.test(name)) continue;
    const path = folder.entry(name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() && Date.now() - found.mtimeMs > STALE_MS) await unlink(path).catch(() => undefined);
  }
}

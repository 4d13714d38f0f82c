import type { BigIntStats } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { MAX_BUFFER_CHARS } from "@harness/protocol";

/** A file as it is on disk. */
export type DiskFile = { stats: BigIntStats; bytes: Buffer };

/** Undefined if there is no such file, or a larger one than an editor is asked for. */
export async function diskFile(realPath: string): Promise<DiskFile | undefined> {
  try {
    const stats = await lstat(realPath, { bigint: true });
    if (!stats.isFile() || stats.size > MAX_BUFFER_CHARS) return undefined;
    return { stats, bytes: await readFile(realPath) };
  } catch {
    return undefined;
  }
}

import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { MAX_BUFFER_CHARS } from "@harness/protocol";
import { liesAt } from "../files/opened-place.ts";

/** A file as it is on disk. */
export type DiskFile = { stats: BigIntStats; bytes: Buffer };

/**
 * Undefined if there is no such file, or a larger one than an editor is asked for, or the path has come to lead through
 * a link.
 */
export async function diskFile(realPath: string): Promise<DiskFile | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile() || stats.size > MAX_BUFFER_CHARS || !liesAt(file.fd, realPath)) return undefined;
    return { stats, bytes: await file.readFile() };
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

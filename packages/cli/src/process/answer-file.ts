import { randomBytes } from "node:crypto";
import { fstatSync } from "node:fs";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Writes the answer to the user's path. A file is replaced completely or not at all, through links, and keeps its mode.
 * Anything else, such as a pipe or a device, receives the text as a stream, and so does a path that stdout or stderr
 * already leads to. Rejects with the file system's error.
 */
export async function writeAnswer(path: string, text: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && (!found.isFile() || isOpenStream(path, found))) return await into(path, "a", text);
  const target = found ? await realpath(path) : path;
  const draft = join(dirname(target), `.harness-answer-${randomBytes(6).toString("hex")}.tmp`);
  const created = await open(draft, "wx", found ? found.mode & 0o700 : 0o666).catch((error: NodeJS.ErrnoException) => {
    // In a folder that allows no new files, the existing one may still be writable.
    if (found && /^(?:EACCES|EPERM|EROFS)$/.test(error.code ?? "")) return undefined;
    throw error;
  });
  if (!created) return await inPlace(target, text);
  try {
    await writeAndClose(created, async () => {
      await created.writeFile(text);
      if (found) {
        // Only root may give files away.
        await created.chown(found.uid, found.gid).catch(() => undefined);
        await created.chmod(found.mode & 0o777);
      }
      await created.sync();
    });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

type Numbers = { dev: number; ino: number };

/** `/dev/stdout` is the very file that stdout was redirected to. */
function isOpenStream(path: string, { dev, ino }: Numbers): boolean {
  if (/^\/(?:dev|proc)\//.test(path)) return true;
  return [1, 2].some((fd) => {
    try {
      const stream = fstatSync(fd);
      return stream.dev === dev && stream.ino === ino;
    } catch {
      return false;
    }
  });
}

async function into(path: string, flags: string, text: string): Promise<void> {
  const file = await open(path, flags);
  await writeAndClose(file, () => file.writeFile(text));
}

/** The old content is removed only when the new one is complete. */
async function inPlace(path: string, text: string): Promise<void> {
  const file = await open(path, "r+");
  await writeAndClose(file, async () => {
    await file.writeFile(text);
    await file.truncate(Buffer.byteLength(text));
    await file.sync();
  });
}

async function writeAndClose(file: FileHandle, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } finally {
    await file.close();
  }
}

import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { isWithin } from "@harness/gate";
import { errorCode, realPathOf } from "@harness/host";
import { MAX_BUFFER_CHARS } from "@harness/protocol";
import type { BufferLook } from "../buffers/file-buffers.ts";
import { displayPath } from "./absolute-path.ts";
import { fileProblem } from "./file-problem.ts";
import { type PathOptions, strayed } from "./judged-path.ts";
import { missingFile } from "./near-names.ts";
import { liesAt, realPathOfFile } from "./opened-place.ts";

/** Reads a file at positions, or as a whole. */
type ReadHandle = {
  read(into: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  readFile(options?: { signal?: AbortSignal }): Promise<Buffer>;
  close(): Promise<void>;
};

/**
 * A regular file, open for reading. The caller closes the handle. `stats`: of the file on disk; `sizeBytes`: of the
 * content that the handle reads, which is the editor's where `buffer` is not saved.
 */
export type OpenFile = BufferLook & { handle: ReadHandle; realPath: string; stats: BigIntStats; sizeBytes: number };
export type OpenRefusal = { problem: string };

/** Finds the regular file that a path leads to, following links; a problem says why the file tools do not touch it. */
export async function regularFile(
  path: string,
  options: PathOptions,
): Promise<{ realPath: string; source: string; stats: BigIntStats } | OpenRefusal | "missing"> {
  const shown = displayPath(path, options.cwd);
  try {
    const realPath = await realPathOfFile(path);
    const stray = strayed(path, realPath, options);
    if (stray) return { problem: stray };
    const staged = options.staged?.find(realPath);
    if (staged) return staged.content === null ? "missing" : await stagedFile(realPath, staged.content);
    const stats = await lstat(realPath, { bigint: true });
    const kind = specialKind(stats, realPath);
    if (kind === "folder") return { problem: `${shown} is a folder, not a file: list it with ls.` };
    if (kind) return { problem: `${shown} is ${kind}, not a regular file, so it was not opened.` };
    return { realPath, source: realPath, stats };
  } catch (error) {
    const realPath = await realPathOf(path);
    const stray = strayed(path, realPath, options);
    if (stray) return { problem: stray };
    const content = options.staged?.find(realPath)?.content;
    if (errorCode(error) === "ENOENT" && typeof content === "string") return await stagedFile(realPath, content);
    if (errorCode(error) === "ENOENT") return "missing";
    return { problem: `Cannot open ${shown}: ${fileProblem(error)}.` };
  }
}

/** The session's file with the text of a file that is awaiting review. */
async function stagedFile(realPath: string, content: string) {
  const source = await realPathOf(content);
  return { realPath, source, stats: await lstat(source, { bigint: true }) };
}

/**
 * Opens a file for reading without blocking: FIFOs, sockets, devices and pseudo-files are refused before they are
 * opened, and again afterwards in case they were exchanged meanwhile.
 */
export async function openFile(path: string, options: PathOptions): Promise<OpenFile | OpenRefusal> {
  const { cwd } = options;
  const found = await regularFile(path, options);
  if (found === "missing") return { problem: await missingFile(path, cwd) };
  if ("problem" in found) return found;
  let handle: FileHandle;
  try {
    handle = await open(found.source, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return { problem: `Cannot open ${displayPath(path, cwd)}: ${fileProblem(error)}.` };
  }
  const stats = await handle.stat({ bigint: true });
  const isSame = stats.ino === found.stats.ino && stats.dev === found.stats.dev;
  if (isSame && liesAt(handle.fd, found.source)) {
    const file = { handle, realPath: found.realPath, stats, sizeBytes: Number(stats.size) };
    return found.source === found.realPath ? await inEditor(file, options) : file;
  }
  await handle.close();
  return { problem: `${displayPath(path, cwd)} was replaced while it was being opened; try again.` };
}

/** The file with the text that its editor has, if that is another than on disk. */
async function inEditor(file: OpenFile & { handle: FileHandle }, { buffers }: PathOptions): Promise<OpenFile> {
  if (!buffers || file.sizeBytes > MAX_BUFFER_CHARS) return file;
  // The position of the handle does not matter: it is only read at positions, and here.
  const disk = Buffer.alloc(file.sizeBytes);
  const { bytesRead } = await file.handle.read(disk, 0, disk.length, 0);
  const look = bytesRead === disk.length ? await buffers.look(file.realPath, disk) : {};
  if (!look.buffer?.isUnsaved) return { ...file, ...look };
  const { bytes } = look.buffer;
  return { ...file, ...look, handle: memoryHandle(bytes, file.handle), sizeBytes: bytes.length };
}

/** When the content was written, for its stamp; empty for a text that is not on disk. */
export function writtenAt({ stats, buffer }: Pick<OpenFile, "stats" | "buffer">): { mtimeMs?: number } {
  return buffer?.isUnsaved ? {} : { mtimeMs: Number(stats.mtimeMs) };
}

function memoryHandle(bytes: Buffer, disk: FileHandle): ReadHandle {
  return {
    async read(into, offset, length, position) {
      return { bytesRead: bytes.copy(into, offset, position, position + length) };
    },
    readFile: async () => bytes,
    close: () => disk.close(),
  };
}

function specialKind(stats: BigIntStats, realPath: string): string | undefined {
  if (stats.isDirectory()) return "folder";
  if (stats.isFIFO()) return "a named pipe (FIFO)";
  if (stats.isSocket()) return "a socket";
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return "a device";
  // Their "files" are interfaces of the kernel: reading may block forever, writing may reconfigure the machine.
  const kernel = ["/proc", "/sys", "/dev"].some((folder) => isWithin(realPath, folder));
  if (kernel && !isWithin(realPath, "/dev/shm")) return "part of a kernel file system";
  return stats.isFile() ? undefined : "something special";
}

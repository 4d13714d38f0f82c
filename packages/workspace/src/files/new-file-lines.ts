import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { gitPaths } from "./git-paths.ts";

const MAX_FILES = 1_000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 32 * 1024 * 1024;
/** Like git, treats a file as binary if its first bytes contain a zero. */
const BINARY_PREFIX = 8_000;
const NEWLINE = 10;

type CountedLines = { stamp: string; lines: number };

/**
 * Lines of files that git does not track yet; `isWhole` is false if there are too many, or too large ones, to count.
 */
export type NewLines = { files: number; lines: number; isWhole: boolean };

/** Counts lines of new files; unchanged ones are not read again. */
export class NewFileLines {
  #known = new Map<string, CountedLines>();

  /** `env`: for git. Undefined if git fails. */
  async count(root: string, env: Record<string, string>, timeoutMs: number): Promise<NewLines | undefined> {
    const paths = await gitPaths(root, "new", { env, timeoutMs });
    if (paths === undefined) return undefined;
    const known = new Map<string, CountedLines>();
    let lines = 0;
    let bytes = 0;
    let isWhole = paths.length <= MAX_FILES;
    for (const path of paths.slice(0, MAX_FILES)) {
      const full = join(root, path);
      const counted = bytes > MAX_BYTES ? "large" : await this.#linesOf(full);
      if (counted === "large") isWhole = false;
      else if (counted) {
        known.set(full, counted);
        lines += counted.lines;
        bytes += counted.bytes;
      }
    }
    this.#known = new Map([...[...this.#known].filter(([path]) => !path.startsWith(join(root, "/"))), ...known]);
    return { files: paths.length, lines, isWhole };
  }

  /** Undefined if it is not a file; does not wait for a pipe. */
  async #linesOf(path: string): Promise<(CountedLines & { bytes: number }) | "large" | undefined> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      const { size, mtimeMs, ino, isFile } = await file.stat().then((info) => ({ ...info, isFile: info.isFile() }));
      if (!isFile) return undefined;
      if (size > MAX_FILE_BYTES) return "large";
      const stamp = `${ino} ${size} ${mtimeMs}`;
      const before = this.#known.get(path);
      if (before?.stamp === stamp) return { ...before, bytes: 0 };
      return { stamp, lines: linesIn(await file.readFile()), bytes: size };
    } catch {
      // A link counts nothing, and a file may be gone or unreadable.
      return undefined;
    } finally {
      await file?.close();
    }
  }
}

function linesIn(bytes: Buffer): number {
  if (bytes.length === 0 || bytes.subarray(0, BINARY_PREFIX).includes(0)) return 0;
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return bytes.at(-1) === NEWLINE ? lines : lines + 1;
}

import { readFileSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { type AtomicWriteOptions, writeAtomically } from "./atomic-write.ts";

// Files that only harness has: in folders that it has made, under the lock of their writers, or shipped with it. Files
// that the user may have put there are read and changed by `readRegularFile`, `PrivateFile`, `replaceFile` and
// `writeNewFile`.

/** Writes a file that nobody reads before it is complete. Throws the file system's errors. */
export function writeOwnFile(
  path: string,
  content: string | Buffer,
  { mode = 0o600, flush = false }: { mode?: number; flush?: boolean } = {},
): void {
  writeFileSync(path, content, { mode, flush });
}

/** Replaces a file that others may be reading, completely or not at all. */
export function replaceOwnFile(path: string, content: string | Buffer, options: AtomicWriteOptions = {}): void {
  writeAtomically(path, content, options);
}

export function readOwnFile(path: string): string {
  return readFileSync(path, "utf8");
}

/** `flags`: as for `fs.copyFile`. */
export function copyOwnFile(from: string, to: string, flags = 0): Promise<void> {
  return copyFile(from, to, flags);
}

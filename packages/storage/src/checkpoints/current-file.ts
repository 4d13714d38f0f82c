import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { errorCode, readRegularFile, systemReason } from "@harness/host";
import { LINK, type TreeFile } from "./tree-diff.ts";

/**
 * The current state of a file. `mark` changes with any change to the file; `mode` holds its permission bits; `sinceMs`
 * is the latest time at which it may have come into existence, under this name or another.
 */
export type CurrentFile =
  | { kind: "absent" }
  /** A folder without files, also below it. Undo does not store such a folder, so to it nothing is there. */
  | { kind: "empty-folder" }
  /** A folder with files, a socket, or anything too large. */
  | { kind: "other"; why: string }
  | { kind: "unreadable"; why: string }
  | {
      kind: "file";
      tree: TreeFile;
      bytes: Buffer;
      mode: number;
      mark: string;
      sinceMs: number;
      uid: number;
      gid: number;
      /** Its inode number and its number of names. */
      ino: bigint;
      names: number;
      /** When its content was last written. */
      writtenMs: number;
    };

/** Larger files are not read for comparison. */
const MAX_BYTES = 200_000_000;

/**
 * Never throws. A link is a file whose bytes are its target. All of undo uses synchronous calls, because waiting for
 * other threads takes ten times as long for many small files.
 */
export function currentFile(path: string): CurrentFile {
  try {
    const mark = statFingerprint(path);
    if (mark === "absent") return { kind: "absent" };
    const stat = lstatSync(path);
    const { uid, gid, mtimeMs: writtenMs, nlink: names } = stat;
    const { ino } = lstatSync(path, { bigint: true });
    const known = { mark, sinceMs: sinceOf(stat), uid, gid, ino, names, writtenMs };
    if (stat.isSymbolicLink()) {
      const bytes = readlinkSync(path, { encoding: "buffer" });
      return { kind: "file", tree: { mode: LINK, oid: oidOf(bytes) }, bytes, mode: 0o777, ...known };
    }
    if (stat.isDirectory())
      return holdsOnlyFolders(path) ? { kind: "empty-folder" } : { kind: "other", why: "there is a folder now" };
    if (!stat.isFile()) return { kind: "other", why: "it is not a regular file now" };
    if (stat.size > MAX_BYTES) return { kind: "other", why: "it is too large now" };
    const bytes = readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: false });
    const tree = { mode: (stat.mode & 0o100) === 0 ? "100644" : "100755", oid: oidOf(bytes) };
    return { kind: "file", tree, bytes, mode: stat.mode & 0o777, ...known };
  } catch (error) {
    return { kind: "unreadable", why: `it cannot be read: ${systemReason(error)}` };
  }
}

function holdsOnlyFolders(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).every(
    (entry) => entry.isDirectory() && holdsOnlyFolders(join(folder, entry.name)),
  );
}

/** "absent", or a value that differs between any two states of a file, determined without reading it. */
export function statFingerprint(path: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return "absent";
    throw error;
  }
}

/** Some file systems do not record when a file was created; the result is then 0 or too late. */
export function sinceOf({ birthtimeMs, ctimeMs }: Stats): number {
  return birthtimeMs > 0 ? Math.min(birthtimeMs, ctimeMs) : ctimeMs;
}

/** The object id that git gives to the bytes (the hash of `blob <size>` NUL bytes). */
function oidOf(bytes: Buffer): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

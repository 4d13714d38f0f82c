import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";

type Advice = { what: string; next: string };

const elsewhere = "or set HARNESS_HOME to a folder elsewhere";

const advice: Record<string, Advice> = {
  ENOSPC: { what: "the disk is full", next: "Free some space, then try again." },
  EDQUOT: { what: "your disk quota is used up", next: "Free some space, then try again." },
  EFBIG: {
    what: "the file would be larger than is allowed here",
    next: "Raise the limit (ulimit -f), then try again.",
  },
  EIO: { what: "the disk reports an input/output error", next: `Check the disk, ${elsewhere}.` },
  EROFS: { what: "the file system is read-only", next: `Mount it writable, ${elsewhere}.` },
  EACCES: { what: "permission denied", next: `Change the permissions of the folder, ${elsewhere}.` },
  EPERM: { what: "the operation is not permitted", next: `Change the permissions of the folder, ${elsewhere}.` },
  EMFILE: { what: "too many files are open", next: "Raise the limit (ulimit -n) or close other work, then try again." },
  ENFILE: { what: "the system has too many open files", next: "Close other programs, then try again." },
  ENOENT: { what: "the folder is gone", next: "If it was moved, move it back, then try again." },
  ENOTDIR: { what: "a part of the path is a file, not a folder", next: `Move that file away, ${elsewhere}.` },
  EEXIST: { what: "there is a file where a folder should be", next: `Move that file away, ${elsewhere}.` },
  ELOOP: { what: "there is a link where a file should be", next: "Move that link away, then try again." },
  ENXIO: { what: "it is not a regular file", next: "Move it away, then try again." },
  EISDIR: { what: "there is a folder where a file should be", next: "Move that folder away, then try again." },
};

/**
 * One sentence about what failed, where, and what to do. `doing` continues "Could not …". If the system names a file
 * that is in the way, the sentence names that file: `path` may lead through it.
 */
export function diskProblem(error: unknown, doing: string, path?: string): string {
  const code = path !== undefined && missingBecauseReadOnly(error, path) ? "EROFS" : errorCode(error);
  const known = isNoPlace(error) ? noPlace : code === undefined ? undefined : advice[code];
  const inTheWay = code === "ENOTDIR" ? fileInTheWay(error) : undefined;
  const at = inTheWay ?? path;
  const next = inTheWay === undefined ? known?.next : "Move that file away, then try again.";
  if (known) return `Could not ${doing}: ${known.what} (${[code, at].filter(Boolean).join(", ")}). ${next}`;
  const message = error instanceof Error ? error.message : String(error);
  return `Could not ${doing}: ${message}${at === undefined ? "" : ` (${at})`}.`;
}

/** The file at the place of a folder, on the path that the system reported. */
function fileInTheWay(error: unknown): string | undefined {
  const { path } = Object(error);
  if (typeof path !== "string") return undefined;
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const found = statSync(at, { throwIfNoEntry: false });
    if (found) return found.isDirectory() ? undefined : at;
  }
  return undefined;
}

/** The system has no room, or no more of what a file or a program needs; this fits whatever was being done. */
const SHORT = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS", "EFBIG", "EMFILE", "ENFILE"]);

export function isShortage(error: unknown): boolean {
  return SHORT.has(errorCode(error) ?? "");
}

const noPlace: Advice = {
  what: "no folder can be created there",
  next: "Set HOME or HARNESS_HOME to a folder where you may write.",
};

/** The parent exists, and still the system knows no such place: below /proc, or in a home of an unknown user. */
function isNoPlace(error: unknown): boolean {
  const { syscall, path } = Object(error);
  return errorCode(error) === "ENOENT" && syscall === "mkdir" && typeof path === "string" && existsSync(dirname(path));
}

/** The system's reason in a few words: `the disk is full, ENOSPC`. */
export function systemReason(error: unknown): string {
  const code = errorCode(error);
  const known = code === undefined ? undefined : advice[code];
  return known ? `${known.what}, ${code}` : (code ?? (error instanceof Error ? error.message : String(error)));
}

/** Creating a folder with its parents on a read-only file system fails with ENOENT. */
function missingBecauseReadOnly(error: unknown, path: string): boolean {
  if (errorCode(error) !== "ENOENT") return false;
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (reason) {
    return errorCode(reason) === "EROFS";
  }
}

import { lstatSync } from "node:fs";
import { diskProblem } from "../files/disk-problem.ts";
import { errorCode } from "../files/error-code.ts";
import { fileStamp, isSettled } from "../files/file-stamp.ts";
import { readRegularFile } from "../files/regular-file.ts";
import type { Lock } from "../locks/lock-file.ts";
import { blockForLock, lockedProblem } from "../locks/wait-for-lock.ts";
import { type AccessCheck, AccessRefusedError } from "./file-access.ts";
import { replaceFile } from "./replace-file.ts";

/** The content of a file. `problems` are sentences for people; they repeat nothing of the file. */
export type Contents<T> = {
  value: T;
  problems: readonly string[];
  /**
   * `broken`: readable but invalid; the next save keeps a copy of it. `refused`: it could not be read or must not be
   * written, and nothing is saved over it.
   */
  state: "usable" | "broken" | "refused";
};

/** `brokenCopy`: the path of the copy of a broken file that was replaced. */
export type PrivateFileChange = { brokenCopy?: string };
export type FileChangeProblem = { problem: string; kind: "held" | "refused" | "failed" };

export type PrivateFileOptions<T> = {
  path: string;
  /** Continues "Could not read …" and "Could not save …". */
  what: string;
  maxBytes: number;
  /** The mode of a new file; default: this user alone. An existing one keeps its own, unless its access is checked. */
  mode?: number;
  access?: AccessCheck;
  /** The value of a file that does not exist or cannot be read. */
  empty: T;
  parse(bytes: Buffer): Contents<T>;
  format(value: T): string;
};

/** Others hold the lock for a few milliseconds at most. */
const LOCK_WAIT_MS = 2_000;

/**
 * A file of this user alone in the configuration folder, shared by all harness processes of the user. It is replaced
 * whole under a lock, so that changes of several processes survive. Nothing here throws.
 */
export class PrivateFile<T> {
  readonly path: string;
  readonly #options: PrivateFileOptions<T>;
  #known: { stamp: string; contents: Contents<T> } | undefined;

  constructor(options: PrivateFileOptions<T>) {
    this.path = options.path;
    this.#options = options;
  }

  /** Costs one stat as long as the file is unchanged. */
  current(): Contents<T> {
    const startedAt = Date.now();
    const stamp = fileStamp(this.path);
    if (this.#known?.stamp === stamp) return this.#known.contents;
    const contents = this.read();
    this.#known = isSettled(this.path, startedAt) ? { stamp, contents } : undefined;
    return contents;
  }

  read(): Contents<T> {
    const { path, what, maxBytes, access, empty, parse } = this.#options;
    const notes: string[] = [];
    try {
      const check: AccessCheck = (file) => (access ? access(file) : []);
      const bytes = readRegularFile(path, {
        maxBytes,
        followLinks: true,
        check: (fd, stats) => notes.push(...check({ path, fd, stats })),
      });
      const contents = parse(bytes);
      return notes.length === 0 ? contents : { ...contents, problems: [...notes, ...contents.problems] };
    } catch (error) {
      if (isMissing(error, path)) return { value: empty, problems: [], state: "usable" };
      const problem =
        error instanceof AccessRefusedError
          ? error.message
          : `${diskProblem(error, `read ${what}`, path)} It is not used.`;
      return { value: empty, problems: [problem], state: "refused" };
    }
  }

  /**
   * Reads the file under its lock and replaces it; `next` returns undefined to leave it unchanged. The new content is
   * on disk on return.
   */
  change(next: (value: T, state: Contents<T>["state"]) => T | undefined): PrivateFileChange | FileChangeProblem {
    const { path, what, format, mode, access } = this.#options;
    const lockPath = `${path}.lock`;
    let lock: Lock | undefined;
    try {
      const taken = blockForLock(lockPath, LOCK_WAIT_MS);
      if (!("release" in taken)) return { problem: lockedProblem(`${path} is`, lockPath, taken), kind: "held" };
      lock = taken;
      const { value, problems, state } = this.read();
      if (state === "refused") return { problem: `${problems.join(" ")} Nothing was saved.`, kind: "refused" };
      const changed = next(value, state);
      if (changed === undefined) return {};
      const brokenCopy = replaceFile(path, format(changed), {
        broken: state === "broken",
        keepMode: access === undefined,
        ...(mode === undefined ? {} : { mode }),
      });
      return brokenCopy === undefined ? {} : { brokenCopy };
    } catch (error) {
      return { problem: diskProblem(error, `save ${what}`, path), kind: "failed" };
    } finally {
      lock?.release();
      this.#known = undefined;
    }
  }
}

/** The note for the user about a broken file that was replaced. */
export function brokenCopyNotes(path: string, { brokenCopy }: PrivateFileChange): string[] {
  if (brokenCopy === undefined) return [];
  return [`${path} could not be read. It was renamed to ${brokenCopy}, and a new file takes its place.`];
}

/** A dangling link is not a missing file: its target is missing. */
function isMissing(error: unknown, path: string): boolean {
  if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") return false;
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return true;
  }
}

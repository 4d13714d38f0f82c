import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";
import { unsettledMs } from "./file-stamp.ts";

type FileIdentity = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs" | "mode" | "uid">;
/**
 * The nearest folder above a missing file, with its stamp before the file was found missing, when that was, and after
 * which of our writes.
 */
type Gap = { folder: string; stamp: string; atMs: number; writes: number };
type KnownStamp = { moment: number; stamp: string; seen: FileIdentity | undefined; gap: Gap | undefined };

/** Beyond this the cache is cleared: stamps are then recomputed, at a small cost. */
const MAX_KNOWN = 20_000;
/**
 * How long an unchanged folder is taken to mean that no file has appeared in it. Not all file systems change its time
 * when something does.
 */
const MAX_BELIEF_MS = 2_000;
const LOOK = { throwIfNoEntry: false } as const;

/**
 * The stamps of many files, shared by all that check the same ones: one stat for each per turn of the event loop, and
 * the same string as long as a file is unchanged. Missing files cost no stat of their own as long as their folder is
 * unchanged.
 */
export class FileStamps {
  readonly #known = new Map<string, KnownStamp>();
  readonly #now: () => number;
  readonly #lstat: (path: string) => Stats | undefined;
  #moment = 0;
  #isMomentOpen = false;
  /** Counts this process's writes. */
  #writes = 0;

  /** `now`: in ms since 1970, like file times. `lstat`: returns undefined if there is nothing. */
  constructor({ now = Date.now, lstat = (path: string) => lstatSync(path, LOOK) } = {}) {
    this.#now = now;
    this.#lstat = lstat;
  }

  /** Like `fileStamp`: for a link the stamp of its target; "" if there is nothing. */
  of(path: string): string {
    return this.#at(path).stamp;
  }

  /** True if these are still the stamps of these paths. */
  areSame(paths: readonly string[], stamps: readonly string[]): boolean {
    return paths.length === stamps.length && paths.every((path, at) => this.of(path) === stamps[at]);
  }

  /**
   * Called after this process has written a file: it is checked again, even if its folder does not show that it was
   * created.
   */
  forgetMoment(): void {
    this.#moment += 1;
    this.#writes += 1;
  }

  #at(path: string): KnownStamp {
    const known = this.#known.get(path);
    if (known?.moment === this.#moment && this.#isMomentOpen) return known;
    this.#openMoment();
    if (known?.gap && this.#isStillMissing(known.gap)) {
      known.moment = this.#moment;
      return known;
    }
    const now = this.#look(path, known);
    if (!known && this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(path, now);
    return now;
  }

  #openMoment(): void {
    if (this.#isMomentOpen) return;
    this.#isMomentOpen = true;
    this.#moment += 1;
    setImmediate(() => {
      this.#isMomentOpen = false;
    });
  }

  #isStillMissing({ folder, stamp, atMs, writes }: Gap): boolean {
    if (writes !== this.#writes) return false;
    const age = this.#now() - atMs;
    return age >= 0 && age < MAX_BELIEF_MS && this.of(folder) === stamp;
  }

  #look(path: string, known: KnownStamp | undefined): KnownStamp {
    // The folder is checked first: anything that appears between the two checks changes its stamp.
    const gap = known?.stamp === "" ? this.#gapAt(path) : undefined;
    const moment = this.#moment;
    try {
      const own = this.#lstat(path);
      if (!own) return { moment, stamp: "", seen: undefined, gap };
      const stat = own.isSymbolicLink() ? statSync(path, LOOK) : own;
      if (!stat) return { moment, stamp: "dangling", seen: undefined, gap: undefined };
      const stamp = known?.seen && isSame(known.seen, stat) ? known.stamp : stampOf(stat);
      return { moment, stamp, seen: stat, gap: undefined };
    } catch (error) {
      return { moment, stamp: errorCode(error) ?? "unknown", seen: undefined, gap: undefined };
    }
  }

  /** Undefined if the folder cannot tell, because it has just changed. */
  #gapAt(path: string): Gap | undefined {
    const atMs = this.#now();
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const { stamp, seen } = this.#at(folder);
      if (seen)
        return atMs - seen.ctimeMs > unsettledMs(seen.ctimeMs)
          ? { folder, stamp, atMs, writes: this.#writes }
          : undefined;
      if (stamp !== "" || folder === dirname(folder)) return undefined;
    }
  }
}

function stampOf({ dev, ino, size, mtimeMs, ctimeMs, mode, uid }: FileIdentity): string {
  return [dev, ino, size, mtimeMs, ctimeMs, mode, uid].join(" ");
}

function isSame(one: FileIdentity, other: FileIdentity): boolean {
  return (
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.size === other.size &&
    one.ino === other.ino &&
    one.dev === other.dev &&
    one.mode === other.mode &&
    one.uid === other.uid
  );
}

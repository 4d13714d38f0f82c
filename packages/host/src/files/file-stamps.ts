import { lstatSync, type Stats, statSync } from "node:fs";
import { errorCode } from "./error-code.ts";

type Seen = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs" | "mode" | "uid">;
type Known = { moment: number; stamp: string; seen: Seen | undefined };

/** Beyond that, what is known is forgotten: stamps are made again at the price of some text. */
const MAX_KNOWN = 20_000;
const LOOK = { throwIfNoEntry: false } as const;

/**
 * The stamps of many files, for those who look at the same ones: one stat for each while the event loop goes round once,
 * and the same text for as long as a file stays as it is.
 */
export class FileStamps {
  readonly #known = new Map<string, Known>();
  #moment = 0;
  #isMomentOpen = false;

  /** As `fileStamp` has it: of a link the stamp of what it leads to; "" where there is nothing. */
  of(path: string): string {
    const known = this.#known.get(path);
    if (known?.moment === this.#moment && this.#isMomentOpen) return known.stamp;
    this.#openMoment();
    const now = this.#look(path, known);
    if (known) {
      known.moment = this.#moment;
      known.stamp = now.stamp;
      known.seen = now.seen;
    } else {
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(path, { moment: this.#moment, ...now });
    }
    return now.stamp;
  }

  /** Are these the stamps of these paths still? */
  areSame(paths: readonly string[], stamps: readonly string[]): boolean {
    return paths.length === stamps.length && paths.every((path, at) => this.of(path) === stamps[at]);
  }

  /** After a file was written by this process: it is looked at again. */
  forgetMoment(): void {
    this.#moment += 1;
  }

  #openMoment(): void {
    if (this.#isMomentOpen) return;
    this.#isMomentOpen = true;
    this.#moment += 1;
    setImmediate(() => {
      this.#isMomentOpen = false;
    });
  }

  #look(path: string, known: Known | undefined): Pick<Known, "stamp" | "seen"> {
    try {
      const own = lstatSync(path, LOOK);
      if (!own) return { stamp: "", seen: undefined };
      const stat = own.isSymbolicLink() ? statSync(path, LOOK) : own;
      if (!stat) return { stamp: "dangling", seen: undefined };
      return known?.seen && isSame(known.seen, stat) ? { stamp: known.stamp, seen: stat } : made(stat);
    } catch (error) {
      return { stamp: errorCode(error) ?? "unknown", seen: undefined };
    }
  }
}

function made(seen: Seen): Pick<Known, "stamp" | "seen"> {
  const { dev, ino, size, mtimeMs, ctimeMs, mode, uid } = seen;
  return { stamp: [dev, ino, size, mtimeMs, ctimeMs, mode, uid].join(" "), seen };
}

function isSame(one: Seen, other: Seen): boolean {
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

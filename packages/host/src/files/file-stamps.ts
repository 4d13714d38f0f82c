import { lstatSync, type Stats, statSync } from "node:fs";
import { errorCode } from "./error-code.ts";
import { Momentary } from "./momentary.ts";

type Known = Pick<Stats, "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs" | "mode" | "uid"> & { stamp: string };

/** Beyond that, what is known is forgotten: stamps are made again at the price of some text. */
const MAX_KNOWN = 20_000;

/**
 * The stamps of many files, for those who look at the same ones: one stat for each in a moment, and the same text for as
 * long as a file stays as it is.
 */
export class FileStamps {
  readonly #known = new Map<string, Known>();
  readonly #moment = new Momentary<string>();

  /** As `fileStamp` has it: of a link the stamp of what it leads to; "" where there is nothing. */
  of(path: string): string {
    return this.#moment.get(path, () => this.#look(path));
  }

  /** Are these the stamps of these paths still? */
  areSame(paths: readonly string[], stamps: readonly string[]): boolean {
    return paths.length === stamps.length && paths.every((path, at) => this.of(path) === stamps[at]);
  }

  /** After a file was written by this process: it is looked at again. */
  forgetMoment(): void {
    this.#moment.clear();
  }

  #look(path: string): string {
    try {
      const own = lstatSync(path, { throwIfNoEntry: false });
      if (!own) return "";
      const stat = own.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : own;
      return stat ? this.#stampOf(path, stat) : "dangling";
    } catch (error) {
      return errorCode(error) ?? "unknown";
    }
  }

  #stampOf(path: string, { dev, ino, size, mtimeMs, ctimeMs, mode, uid }: Stats): string {
    const known = this.#known.get(path);
    const isSame =
      known?.ctimeMs === ctimeMs &&
      known.mtimeMs === mtimeMs &&
      known.size === size &&
      known.ino === ino &&
      known.dev === dev &&
      known.mode === mode &&
      known.uid === uid;
    if (isSame) return known.stamp;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const stamp = [dev, ino, size, mtimeMs, ctimeMs, mode, uid].join(" ");
    this.#known.set(path, { dev, ino, size, mtimeMs, ctimeMs, mode, uid, stamp });
    return stamp;
  }
}

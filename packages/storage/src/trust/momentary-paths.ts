import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { realPathOrSame, TickCache } from "@harness/host";

/** Paths without links. Folders are looked up once in a moment: hundreds of files lie in a few of them. */
export class MomentaryPaths {
  readonly #folders = new TickCache<string>();

  /** The absolute path itself where nothing exists. */
  folder(path: string): string {
    return this.#folders.get(path, () => realPathOrSame(path));
  }

  /** Looks whether the path itself is a link, each time. Throws what the file system throws. */
  file(path: string): string {
    const whole = resolve(path);
    if (lstatSync(whole).isSymbolicLink()) return realpathSync(whole);
    return join(this.folder(dirname(whole)), basename(whole));
  }
}

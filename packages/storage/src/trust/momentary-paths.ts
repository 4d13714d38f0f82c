import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { realPathOrSame, TickCache } from "@harness/host";

/** Paths without links. Each folder is resolved once per tick, because hundreds of files share a few of them. */
export class MomentaryPaths {
  readonly #folders = new TickCache<string>();

  /** Returns the absolute path itself if nothing exists there. */
  folder(path: string): string {
    return this.#folders.get(path, () => realPathOrSame(path));
  }

  /** Checks each time if the path itself is a link. Throws file system errors. */
  file(path: string): string {
    const whole = resolve(path);
    if (lstatSync(whole).isSymbolicLink()) return realpathSync(whole);
    return join(this.folder(dirname(whole)), basename(whole));
  }
}

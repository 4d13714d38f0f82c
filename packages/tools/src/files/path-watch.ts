import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { WatchedFolders } from "./watched-folders.ts";

/** Projects have no deeper paths. */
const MAX_FOLDERS = 200;
/** The folders of a few successive commands. */
const folders = new WatchedFolders(32);

/**
 * Notices if a part of a path is exchanged. Programs get their paths by name: a folder that becomes a link between
 * check and read leads them elsewhere, and may be a folder again afterwards. The system reports each such change to
 * watchers of the parent folder.
 */
export class PathWatch {
  readonly #stops: (() => void)[] = [];
  #replaced: string | undefined;

  /**
   * `roots`: the folders that contain the paths; the names above them do not change. Files read after this resolves are
   * watched.
   */
  static async begin(paths: Iterable<string>, roots: readonly string[]): Promise<PathWatch> {
    const names = new Map<string, Set<string>>();
    for (const path of paths) {
      for (let part = path; dirname(part) !== part; part = dirname(part)) {
        const folder = dirname(part);
        const known = names.get(folder) ?? new Set();
        names.set(folder, known.add(basename(part)));
        if (roots.includes(part)) break;
      }
    }
    // Changes known by now are not reported.
    await untilTold();
    const began = new PathWatch([...names].slice(0, MAX_FOLDERS));
    await untilTold();
    began.#replaced = undefined;
    return began;
  }

  private constructor(names: readonly (readonly [string, ReadonlySet<string>])[]) {
    for (const [folder, ofFolder] of names) {
      const listener = (name: string) => {
        if (ofFolder.has(name)) this.#replaced ??= join(folder, name);
      };
      this.#stops.push(folders.listen(folder, listener));
    }
  }

  /** Call after reading: stops, and returns the path that was exchanged in the meantime, if any. */
  async end(): Promise<string | undefined> {
    await untilTold();
    this.close();
    return this.#replaced;
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}

/** Events queued by the system are delivered in the next turns of the event loop. */
async function untilTold(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** For the model, about a path that `end` returned. */
export function replacedText(shown: string): string {
  return `${shown} was replaced while the command ran, so it may have read something else: its output is not shown. Run it again.`;
}

import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { WatchedFolders } from "./watched-folders.ts";

/** Projects have no deeper paths. */
const MAX_FOLDERS = 200;
/** The folders of a few commands, one after the other. */
const folders = new WatchedFolders(32);

/**
 * Notices when a part of a path is exchanged. A program is given its paths by name: a folder that becomes a link between the
 * check and the reading leads it elsewhere, and may be a folder again when it ends. The system tells of each such change to
 * who watches the folder above.
 */
export class PathWatch {
  readonly #stops: (() => void)[] = [];
  #replaced: string | undefined;

  /**
   * `roots`: the folders that the paths are in; nobody working there changes the names above. Files read after this
   * resolves are watched.
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
    // Changes that are known by now are not reported.
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

  /** After the reading: what was exchanged since this began, and then it ends. */
  async end(): Promise<string | undefined> {
    await untilTold();
    this.close();
    return this.#replaced;
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }
}

/** Events that the system has queued are delivered in the next turns of the loop. */
async function untilTold(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** For the model, about what `end` tells. */
export function replacedText(shown: string): string {
  return `${shown} was replaced while the command ran, so it may have read something else: its output is not shown. Run it again.`;
}

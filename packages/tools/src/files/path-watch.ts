import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Deeper paths are not those of projects. */
const MAX_FOLDERS = 200;

/**
 * Notices when a part of a path is exchanged. A program is given its paths by name: a folder that becomes a link between the
 * check and the reading leads it elsewhere, and may be a folder again when it ends. The system tells of each such change to
 * who watches the folder above.
 */
export class PathWatch {
  readonly #watchers: FSWatcher[] = [];
  #replaced: string | undefined;

  /** `roots`: the folders that the paths lie in; the names above these are not the work of anybody in them. */
  constructor(paths: Iterable<string>, roots: readonly string[]) {
    const names = new Map<string, Set<string>>();
    for (const path of paths) {
      for (let part = path; dirname(part) !== part; part = dirname(part)) {
        const folder = dirname(part);
        const known = names.get(folder) ?? new Set();
        names.set(folder, known.add(basename(part)));
        if (roots.includes(part)) break;
      }
    }
    for (const [folder, ofFolder] of [...names].slice(0, MAX_FOLDERS)) this.#watch(folder, ofFolder);
  }

  /** After the reading: what was exchanged since this began, and then it ends. */
  async end(): Promise<string | undefined> {
    // What the system has to tell by now is read once the loop comes around.
    await nextTurn();
    await nextTurn();
    this.close();
    return this.#replaced;
  }

  close(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }

  #watch(folder: string, names: ReadonlySet<string>): void {
    try {
      const watcher = watch(folder, { persistent: false }, (what, name) => {
        if (what === "rename" && name !== null && names.has(name)) this.#replaced ??= join(folder, name);
      });
      this.#watchers.push(watcher.on("error", () => undefined));
    } catch {
      // It is gone, which the check finds; or the system watches no more folders.
    }
  }
}

/** For the model, about what `end` tells. */
export function replacedText(shown: string): string {
  return `${shown} was replaced while the command ran, so it may have read something else: its output is not shown. Run it again.`;
}

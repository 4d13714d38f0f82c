import { type FSWatcher, watch } from "node:fs";
import { basename } from "node:path";

type FolderWatchOptions = {
  /** The system has a limit, too; folders beyond this one are not watched. */
  maxFolders: number;
  /**
   * Something in a folder was created, changed, replaced or removed; `name` is missing if the system does not report
   * it.
   */
  onChange(folder: string, name: string | undefined): void;
};

/**
 * Watches a changing set of folders, without subfolders. Idle while nothing happens, and keeps no process alive. A
 * folder that cannot be watched (no watches left, no such folder) is left out.
 */
export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(options: FolderWatchOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#watchers.size;
  }

  /** Also false for a folder that was removed since. */
  has(folder: string): boolean {
    return this.#watchers.has(folder);
  }

  /**
   * Watches exactly these folders from now on, or the first ones if there are too many. Returns true if some are new:
   * earlier events in them are not reported.
   */
  set(folders: Iterable<string>): boolean {
    const wanted = new Set<string>();
    for (const folder of folders) {
      if (wanted.size >= this.#options.maxFolders) break;
      wanted.add(folder);
    }
    for (const folder of this.#watchers.keys()) if (!wanted.has(folder)) this.#drop(folder);
    const added = [...wanted].filter((folder) => !this.#watchers.has(folder));
    for (const folder of added) this.#open(folder);
    return added.some((folder) => this.#watchers.has(folder));
  }

  close(): void {
    this.set([]);
  }

  #open(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (event, name) => {
        this.#options.onChange(folder, name ?? undefined);
        // The folder itself was removed or replaced: the watcher still watches the old one.
        if (event === "rename" && name === basename(folder) && this.#watchers.get(folder) === watcher) {
          this.#drop(folder);
          this.#open(folder);
        }
      });
      watcher.on("error", () => this.#drop(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // No such folder, or no watches left.
    }
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}

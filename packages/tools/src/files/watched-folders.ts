import { type FSWatcher, statSync, watch } from "node:fs";
import { basename } from "node:path";

type Listener = (name: string) => void;
/** `id`: identifies the folder itself, as its name may lead to a different one by now. */
type WatchedFolder = { watcher: FSWatcher; id: string; listeners: Set<Listener> };

/**
 * Reports the names in a folder that are created, replaced or removed. A watch outlives its users, because the cost of
 * starting one grows with the number of files that the system knows in that folder. Idle while nothing happens, and
 * keeps no process alive.
 */
export class WatchedFolders {
  readonly #folders = new Map<string, WatchedFolder>();
  readonly #maxIdle: number;

  /** `maxIdle`: the number of most recently used folders that stay watched while nobody listens. */
  constructor(maxIdle: number) {
    this.#maxIdle = maxIdle;
  }

  /**
   * Also reports what happened shortly before, because the system reports with a delay. A folder that cannot be watched
   * (it no longer exists, or the system has no more watches) reports nothing. Returns a function that stops listening.
   */
  listen(folder: string, listener: Listener): () => void {
    try {
      const watched = this.#watched(folder);
      watched.listeners.add(listener);
      return () => {
        watched.listeners.delete(listener);
        this.#endIdle();
      };
    } catch {
      return () => undefined;
    }
  }

  /** Throws if it cannot be watched. */
  #watched(folder: string): WatchedFolder {
    const known = this.#folders.get(folder);
    this.#folders.delete(folder);
    const watched = known?.id === idOf(folder) ? known : this.#begin(folder);
    // The folder was replaced: listeners of the old one were notified by the folder above.
    if (known && known !== watched) known.watcher.close();
    this.#folders.set(folder, watched);
    return watched;
  }

  #begin(folder: string): WatchedFolder {
    const listeners = new Set<Listener>();
    const watcher = watch(folder, { persistent: false }, (what, name) => {
      if (what !== "rename" || name === null) return;
      for (const listener of listeners) listener(name);
      // The folder itself was moved or removed, so no more events will come.
      if (name === basename(folder)) drop();
    });
    const drop = () => {
      if (this.#folders.get(folder)?.watcher === watcher) this.#folders.delete(folder);
      watcher.close();
    };
    watcher.on("error", drop);
    // Taken after the watch began: either the name leads to the watched folder, or the folder above reports it.
    return { watcher, id: idOf(folder), listeners };
  }

  #endIdle(): void {
    const idle = [...this.#folders].filter(([, { listeners }]) => listeners.size === 0);
    for (const [folder, { watcher }] of idle.slice(0, Math.max(0, idle.length - this.#maxIdle))) {
      watcher.close();
      this.#folders.delete(folder);
    }
  }
}

/** A new folder may get the number of a removed one, so the creation time counts as well. */
function idOf(folder: string): string {
  const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true });
  return `${dev} ${ino} ${birthtimeNs}`;
}

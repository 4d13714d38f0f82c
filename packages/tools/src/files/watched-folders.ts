import { type FSWatcher, statSync, watch } from "node:fs";
import { basename } from "node:path";

type Listener = (name: string) => void;
/** `id`: of the folder itself, as its name may lead to a different one by now. */
type WatchedFolder = { watcher: FSWatcher; id: string; listeners: Set<Listener> };

/**
 * Tells which names of a folder are made, replaced or removed. The system's watch of a folder outlives who asked for it: to
 * begin one costs the more, the more files of that folder the system knows. Idle while nothing happens, and keeps no
 * process alive.
 */
export class WatchedFolders {
  readonly #folders = new Map<string, WatchedFolder>();
  readonly #maxIdle: number;

  /** `maxIdle`: so many folders stay watched while nobody listens; those that were needed last. */
  constructor(maxIdle: number) {
    this.#maxIdle = maxIdle;
  }

  /**
   * Also tells what happened shortly before, as the system tells with a delay. A folder that cannot be watched (it is gone,
   * or the system watches no more) tells nothing. Returns how to stop.
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

  /** Throws where it cannot be watched. */
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
    // After the watch began: what the name leads to now is what is watched, or the folder above tells.
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

/** The numbers of a folder that was removed are given to new ones, so the time it was made counts as well. */
function idOf(folder: string): string {
  const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true });
  return `${dev} ${ino} ${birthtimeNs}`;
}

import { rmdirSync } from "node:fs";
import { mkdir, rmdir } from "node:fs/promises";
import { atExit } from "@harness/host";

type PlaceholderState = { users: number; made: Promise<boolean>; cancelRemoval(): void };

/** Placeholder folders at paths where no file may be created, with the number of commands that need each. */
export class PlaceholderFolders {
  readonly #standing = new Map<string, PlaceholderState>();

  /** True if the folder was created here as a placeholder. */
  has(path: string): boolean {
    return this.#standing.has(path);
  }

  /**
   * Creates an empty folder for each path that must stay empty, as a mount point that is read-only in the sandbox.
   * Placeholders of other commands stay as long as this one needs them. The result's `release` removes them.
   */
  async make(paths: readonly string[]): Promise<{ held: string[]; release(): Promise<void> }> {
    const held: string[] = [];
    for (const path of paths) {
      const place = this.#standing.get(path) ?? newPlaceholder(path);
      place.users++;
      this.#standing.set(path, place);
      if (await place.made) held.push(path);
      else this.#drop(path);
    }
    return { held, release: () => this.#release(held) };
  }

  async #release(held: readonly string[]): Promise<void> {
    // Nested folders are removed first.
    for (const path of [...held].reverse()) {
      if (this.#drop(path)) await rmdir(path).catch(no);
    }
  }

  /** True if no command needs it now. */
  #drop(path: string): boolean {
    const place = this.#standing.get(path);
    if (!place) return false;
    place.users--;
    if (place.users > 0) return false;
    this.#standing.delete(path);
    place.cancelRemoval();
    return true;
  }
}

function newPlaceholder(path: string): PlaceholderState {
  return { users: 0, made: mkdir(path).then(yes, no), cancelRemoval: atExit(() => removeIfEmpty(path)) };
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It was removed, or is no longer empty.
  }
}

const yes = () => true;
const no = () => false;

import { basename, dirname } from "node:path";
import { FolderWatch } from "@harness/host";
import type { KeyFile } from "@harness/storage";

/** Editors write in several steps. */
const SETTLE_MS = 60;

type Keys = ReturnType<KeyFile["read"]>;

/** The user's keys. Notices when others change their file: an editor, or another process. */
export class KeysWatch {
  readonly #file: KeyFile;
  readonly #onChange: () => void;
  readonly #folders: FolderWatch;
  /** The keys last announced to clients; undefined: none has asked yet. */
  #told: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(file: KeyFile, onChange: () => void) {
    this.#file = file;
    this.#onChange = onChange;
    const names = [basename(file.path), basename(dirname(file.path))];
    this.#folders = new FolderWatch({
      maxFolders: 2,
      onChange: (_, name) => {
        if (name === undefined || names.includes(name)) this.#look();
      },
    });
  }

  get path(): string {
    return this.#file.path;
  }

  /** The file is watched from the first read on. */
  read(): Keys {
    if (this.#told === undefined) this.#watch();
    const keys = this.#file.read();
    this.#told ??= JSON.stringify(keys);
    return keys;
  }

  /** `keys`: undefined restores the action's default keys. On disk on return; the caller announces the change. */
  set(action: string, keys: string[] | undefined): ReturnType<KeyFile["set"]> {
    const saved = this.#file.set(action, keys);
    if ("problem" in saved) return saved;
    this.#told = JSON.stringify(this.#file.read());
    return saved;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#folders.close();
  }

  /** The folder may be created later, so its parent is watched as well. */
  #watch(): void {
    const folder = dirname(this.path);
    this.#folders.set([folder, dirname(folder)]);
  }

  #look(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#watch();
      const now = JSON.stringify(this.#file.read());
      if (now === this.#told) return;
      this.#told = now;
      this.#onChange();
    }, SETTLE_MS).unref();
  }
}

import { basename, dirname, join } from "node:path";
import { FolderWatch } from "@harness/host";

/** Editors write in several steps. */
const SETTLE_MS = 60;
/** Starting a server or a session has more urgent work. Earlier changes are found then. */
const BEGIN_MS = 100;
/** For a folder and its parents, with the settings folders in them. */
const MAX_FOLDERS = 500;

/** The settings of a folder, as far as they are watched. */
type WatchedSettings = {
  /** Different text after each change. */
  readonly stamp: string;
  /** The files that they come from, whether they exist or not. */
  readonly files: readonly string[];
};

/** Notices when others change the files of settings: by hand, or in another process. */
export class SettingsWatch {
  #onChange: () => void = () => undefined;
  readonly #folders: FolderWatch;
  /** The state of the settings of each followed folder. */
  readonly #stamps = new Map<WatchedSettings, string>();
  /** The relevant paths in the watched folders. */
  #paths: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #begins: NodeJS.Timeout | undefined;

  constructor() {
    this.#folders = new FolderWatch({
      maxFolders: MAX_FOLDERS,
      onChange: (folder, name) => {
        if (name === undefined || this.#paths.has(join(folder, name)) || name === basename(folder)) this.#look();
      },
    });
  }

  /** Registers a listener, called after each change by others. */
  listen(onChange: () => void): void {
    this.#onChange = onChange;
  }

  /** Watches the files of these settings until `unfollow`. */
  follow(settings: WatchedSettings): void {
    if (this.#stamps.has(settings)) return;
    this.#stamps.set(settings, settings.stamp);
    this.#begins ??= setTimeout(() => {
      this.#begins = undefined;
      this.#follow();
    }, BEGIN_MS).unref();
  }

  unfollow(settings: WatchedSettings): void {
    if (this.#stamps.delete(settings)) this.#watch();
  }

  /** Marks the current files as known: this process has just written and announced them. */
  seen(): boolean {
    let isNews = false;
    for (const [settings, before] of this.#stamps) {
      const { stamp } = settings;
      isNews ||= stamp !== before;
      this.#stamps.set(settings, stamp);
    }
    return isNews;
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#begins);
    this.#stamps.clear();
    this.#folders.close();
  }

  #look(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#follow();
    }, SETTLE_MS).unref();
  }

  #follow(): void {
    this.#watch();
    if (this.seen()) this.#onChange();
  }

  #watch(): void {
    const files = [...this.#stamps.keys()].flatMap((settings) => settings.files);
    const folders = files.map(dirname);
    this.#paths = new Set([...files, ...folders]);
    // A settings folder may be created later, so its parent is watched as well.
    this.#folders.set([...folders, ...folders.filter((folder) => basename(folder).startsWith(".")).map(dirname)]);
  }
}

import { basename, dirname, join } from "node:path";
import { FolderWatch } from "@harness/host";

/** Editors write in several steps. */
const SETTLE_MS = 60;
/** The start of a server or a session has more urgent work. Earlier changes are found then. */
const BEGIN_MS = 100;
/** Of a folder and those above it, with the folders of settings in them. */
const MAX_FOLDERS = 500;

/** The settings of a folder, as far as they are watched. */
type WatchedSettings = {
  /** Another text after each change. */
  readonly stamp: string;
  /** The files that they come from, whether they exist or not. */
  readonly files: readonly string[];
};

/** Notices when the files that settings come from are changed by others: by hand, or by another process. */
export class SettingsWatch {
  #onChange: () => void = () => undefined;
  readonly #folders: FolderWatch;
  /** The state of the settings of each folder that is followed. */
  readonly #stamps = new Map<WatchedSettings, string>();
  /** The paths that matter, in the folders that are watched. */
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

  /** Has a listener called after each change by others. */
  listen(onChange: () => void): void {
    this.#onChange = onChange;
  }

  /** Watches the files that these settings come from, until `unfollow`. */
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
    // A folder of settings may be made later: the one that it would be in is watched as well.
    this.#folders.set([...folders, ...folders.filter((folder) => basename(folder).startsWith(".")).map(dirname)]);
  }
}

import { dirname, resolve } from "node:path";
import { type FileStamps, isSettled } from "@harness/host";
import { envFiles, inspectEnv, type LoadedEnv } from "@harness/providers/env";
import type { FolderTrust } from "../trust/folder-trust.ts";

type Env = Readonly<Record<string, string | undefined>>;

export type EnvFilesOptions = {
  /** The environment of the server. */
  env: Env;
  places: { home: string; configFolder: string };
  trust: Pick<FolderTrust, "isTrusted" | "wouldHaveEffect">;
  stamps: FileStamps;
};

type CachedEnv = { stamps: readonly string[]; loaded: LoadedEnv };

/** The environment of a folder with its `.env` files, requested several times in each turn. */
export class EnvFiles {
  readonly #folder: string;
  readonly #options: EnvFilesOptions;
  /** The files that may have an effect in the folder, whether they exist or not. */
  readonly paths: readonly string[];
  #known: CachedEnv | undefined;

  constructor(folder: string, options: EnvFilesOptions) {
    this.#folder = folder;
    this.#options = options;
    this.paths = envFiles(folder, options.places);
  }

  /** The same object as long as no file changes. */
  get environment(): LoadedEnv {
    const { stamps } = this.#options;
    const known = this.#known;
    if (known && stamps.areSame(this.paths, known.stamps)) return known.loaded;
    const startedAt = Date.now();
    const now = this.paths.map((file) => stamps.of(file));
    const loaded = this.with({});
    // The trust in a project file may change while the file stays the same.
    const isLasting = this.paths.every(
      (file, at) => now[at] === "" || (this.#isOwn(file) && isSettled(file, startedAt)),
    );
    this.#known = isLasting ? { stamps: now, loaded } : undefined;
    return loaded;
  }

  /** The environment with more variables, which take precedence over those of the files. */
  with(more: Env): LoadedEnv {
    const { env, places, trust } = this.#options;
    const isTrusted = (file: string) => trust.isTrusted(file);
    const { untrusted, ...loaded } = inspectEnv(this.#folder, { ...env, ...more }, { ...places, isTrusted });
    return untrusted !== undefined && trust.wouldHaveEffect(untrusted) ? { ...loaded, untrusted } : loaded;
  }

  #isOwn(file: string): boolean {
    const { home, configFolder } = this.#options.places;
    return [resolve(home), resolve(configFolder)].includes(dirname(file));
  }
}

import { dirname, resolve } from "node:path";
import { type FileStamps, isSettled } from "@harness/host";
import { envFiles, inspectEnv, type LoadedEnv } from "@harness/providers/env";
import type { FolderTrust } from "../trust/folder-trust.ts";

type Env = Readonly<Record<string, string | undefined>>;

type FolderEnvironmentsDeps = {
  /** The environment of the server. */
  env: Env;
  places: { home: string; configFolder: string };
  trust: Pick<FolderTrust, "isTrusted" | "wouldHaveEffect">;
  stamps: FileStamps;
};

type CachedEnv = { stamps: readonly string[]; loaded: LoadedEnv };

/** Folders whose environment is kept in mind. */
const MAX_KNOWN = 100;

/** The environments of folders with their `.env` files, which are asked for several times in each turn. */
export class FolderEnvironments {
  readonly #deps: FolderEnvironmentsDeps;
  readonly #files = new Map<string, readonly string[]>();
  readonly #known = new Map<string, CachedEnv>();

  constructor(deps: FolderEnvironmentsDeps) {
    this.#deps = deps;
  }

  /** The files that may have effect in a folder, whether they exist or not. */
  files(folder: string): readonly string[] {
    const known = this.#files.get(folder);
    if (known) return known;
    const files = envFiles(folder, this.#deps.places);
    keep(this.#files, folder, files);
    return files;
  }

  /** The environment of a folder; `more` takes precedence. */
  inspect(folder: string, more?: Env): LoadedEnv {
    if (more) return this.#read(folder, more);
    const { stamps } = this.#deps;
    const files = this.files(folder);
    const known = this.#known.get(folder);
    if (known && stamps.areSame(files, known.stamps)) return known.loaded;
    const startedAt = Date.now();
    const now = files.map((file) => stamps.of(file));
    const loaded = this.#read(folder);
    // The trust in a file of a project may change while the file stays as it is.
    const isLasting = files.every((file, at) => now[at] === "" || (this.#isOwn(file) && isSettled(file, startedAt)));
    if (isLasting) keep(this.#known, folder, { stamps: now, loaded });
    else this.#known.delete(folder);
    return loaded;
  }

  #isOwn(file: string): boolean {
    const { home, configFolder } = this.#deps.places;
    return [resolve(home), resolve(configFolder)].includes(dirname(file));
  }

  #read(folder: string, more: Env = {}): LoadedEnv {
    const { env, places, trust } = this.#deps;
    const isTrusted = (file: string) => trust.isTrusted(folder, file);
    const { untrusted, ...loaded } = inspectEnv(folder, { ...env, ...more }, { ...places, isTrusted });
    return untrusted !== undefined && trust.wouldHaveEffect(folder, untrusted) ? { ...loaded, untrusted } : loaded;
  }
}

/** The oldest goes where there are too many. */
function keep<T>(known: Map<string, T>, folder: string, value: T): void {
  known.set(folder, value);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
}

import type { KnownPaths, Paths } from "../ports/paths.ts";
import type { GitAliases, KnownRepositories, ObjectKind, Repositories } from "../ports/repositories.ts";

/** The most places that one call may name. More would block everything else, and nobody would read them. */
const MAX_PLACES = 10_000;
/** The number of places to look up before checking whether the call is still wanted. */
const AT_ONCE = 64;

/**
 * Paths for one reading of a call. It answers at once: an unknown path is noted, stands for itself, and is resolved by
 * `lookUp`. The call is then read again.
 */
class PathReads implements KnownPaths {
  readonly home?: string;
  readonly exists?: (path: string) => boolean;
  readonly git?: KnownRepositories;
  readonly #paths: Paths;
  readonly #real = new Map<string, string>();
  readonly #existing = new Map<string, boolean>();
  readonly #kinds = new Map<string, ObjectKind | undefined>();
  readonly #aliases = new Map<string, GitAliases | undefined>();
  readonly #wanted = new Set<() => Promise<void>>();
  /** Whether to ask git may depend on the other lookups: those come first. */
  readonly #wantedOfGit = new Map<string, () => Promise<void>>();

  constructor(paths: Paths) {
    this.#paths = paths;
    if (paths.home !== undefined) this.home = paths.home;
    if (paths.exists) this.exists = (path) => this.#isThere(path);
    if (paths.git) this.git = this.#known(paths.git);
  }

  readonly real = (path: string): string => {
    const known = this.#real.get(path);
    if (known !== undefined) return known;
    const now = this.#paths.realNow?.(path);
    this.#real.set(path, now ?? path);
    if (now === undefined) this.#wanted.add(async () => void this.#real.set(path, await this.#paths.real(path)));
    return now ?? path;
  };

  #isThere(path: string): boolean {
    const known = this.#existing.get(path);
    if (known !== undefined) return known;
    this.#existing.set(path, false);
    this.#wanted.add(async () => void this.#existing.set(path, (await this.#paths.exists?.(path)) ?? true));
    return false;
  }

  #known(git: Repositories): KnownRepositories {
    return {
      kindOf: (folder, name) => this.#answer(this.#kinds, `${folder}\n${name}`, () => git.kindOf(folder, name)),
      aliases: (folder) => this.#answer(this.#aliases, folder, () => git.aliases(folder)),
    };
  }

  #answer<T>(known: Map<string, T | undefined>, question: string, ask: () => Promise<T | undefined>): T | undefined {
    if (!known.has(question)) this.#wantedOfGit.set(question, async () => void known.set(question, await ask()));
    return known.get(question);
  }

  get isDone(): boolean {
    return this.#wanted.size === 0 && this.#wantedOfGit.size === 0;
  }

  get isTooMany(): boolean {
    return this.#real.size + this.#existing.size + this.#kinds.size > MAX_PLACES;
  }

  async lookUp(signal: AbortSignal): Promise<void> {
    const wanted = this.#wanted.size > 0 ? [...this.#wanted] : [...this.#wantedOfGit.values()];
    this.#wanted.clear();
    this.#wantedOfGit.clear();
    for (let at = 0; at < wanted.length && !signal.aborted; at += AT_ONCE) {
      await Promise.all(wanted.slice(at, at + AT_ONCE).map((look) => look()));
    }
  }
}

/**
 * Reads something with the current paths: `read` is pure and is called until it asks for nothing new. After an abort,
 * or with too many paths, the remaining paths stand for themselves.
 */
export async function withPaths<T>(
  paths: Paths,
  signal: AbortSignal,
  read: (known: KnownPaths) => T,
): Promise<{ value: T; known: KnownPaths }> {
  const known = new PathReads(paths);
  for (;;) {
    const value = read(known);
    if (known.isDone || known.isTooMany || signal.aborted) return { value, known };
    await known.lookUp(signal);
  }
}

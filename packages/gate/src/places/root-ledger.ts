import type { Paths } from "../ports/paths.ts";

/** A workspace folder that leads to a different place than when the session was opened. */
export type MovedRoot = { path: string; before: string; now: Root };

type Root = { real: string; identity: string | undefined };

/**
 * Where the workspace folders led when the session was opened. A folder that was deleted and recreated in its place
 * counts as the same, and so does one that was moved and is reached through a link; any other is a different place,
 * which the user must confirm.
 */
export class RootLedger {
  readonly #paths: Paths;
  readonly #roots = new Map<string, Promise<Root>>();
  /** Resolves when all targets are known, so that a later change is noticed. Never rejects. */
  readonly noted: Promise<unknown>;
  #moved: readonly MovedRoot[] = [];

  constructor(paths: Paths, folders: readonly string[]) {
    this.#paths = paths;
    this.noted = Promise.all(folders.map((folder) => this.#rootOf(folder)));
  }

  /** The folders that had moved when they were last checked. */
  get moved(): readonly MovedRoot[] {
    return this.#moved;
  }

  async look(folders: readonly string[]): Promise<void> {
    const looks = await Promise.all(folders.map((path) => this.#look(path)));
    this.#moved = looks.filter((each) => each !== undefined);
  }

  /** Records that the user meant these places. */
  accept(moved: readonly MovedRoot[]): void {
    for (const { path, now } of moved) this.#roots.set(path, Promise.resolve(now));
    this.#moved = this.#moved.filter(({ path }) => !moved.some((each) => each.path === path));
  }

  async #look(path: string): Promise<MovedRoot | undefined> {
    const root = await this.#rootOf(path);
    const identity = await this.#paths.identity?.(path);
    // Every call checks this: the folder's identity shows that it is the same, without resolving its path.
    if (identity !== undefined && identity === root.identity) return undefined;
    const now = { real: await this.#paths.real(path), identity };
    return now.real === root.real ? undefined : { path, before: root.real, now };
  }

  #rootOf(path: string): Promise<Root> {
    const known = this.#roots.get(path) ?? this.#now(path);
    this.#roots.set(path, known);
    return known;
  }

  async #now(path: string): Promise<Root> {
    const [real, identity] = await Promise.all([this.#paths.real(path), this.#paths.identity?.(path)]);
    return { real, identity };
  }
}

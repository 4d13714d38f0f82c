import { modeTexts } from "@harness/core";
import { type FileStamps, isSettled, TickCache } from "@harness/host";
import { findSources, isFolder } from "./find-sources.ts";
import type { Inventory } from "./inventory.ts";
import { ProviderScope } from "./provider-scope.ts";
import { SourceReading } from "./read-source.ts";
import type { EntryKind, FoundEntry, Source, SourceEntry, SourceLocations } from "./source.ts";

/** Which files of projects may have an effect. */
export type SourceTrust = {
  /** The same value as long as the answers for files in this folder of a project stay the same. */
  standing(cwd: string, folder: string): unknown;
  isTrusted(cwd: string, file: string): boolean;
  /** True if it was trusted, and it or a file that it uses has changed since. */
  hasLapsed(cwd: string, file: string): boolean;
  /** True if it is a link out of the project. Such a file is not used however much the project is trusted. */
  leadsOut(cwd: string, file: string): boolean;
};

type SourceInventoryDeps = {
  places: SourceLocations;
  stamps: FileStamps;
  trust: SourceTrust;
  /** The provider chosen for a folder; undefined or "" if none is, and plugins of all providers count. */
  chosenProvider: ((cwd: string) => string | undefined) | undefined;
};

/** Decides which folders count. `isScoped`: folders of other providers are already left out. */
export type SourceChoice = {
  folders(cwd: string): readonly string[] | undefined;
  isScoped(cwd: string): boolean;
};

type Listing = { sources: readonly Source[]; entries: readonly FoundEntry[] };
type CachedInventory = {
  chosen: readonly string[] | undefined;
  looked: readonly string[];
  stamps: readonly string[];
  listing: Listing;
  standings: readonly unknown[];
  inventory: Inventory;
};

/** The number of folders whose sources are cached. */
const MAX_KNOWN = 20;

/** All of the user's extensions, checked again at the cost of one stat per file as long as nothing has changed. */
export class SourceInventory {
  readonly #deps: SourceInventoryDeps;
  readonly #known = new Map<string, CachedInventory>();
  readonly #moment = new TickCache<Inventory>();
  readonly #scope = new ProviderScope();
  #choose: SourceChoice = { folders: () => undefined, isScoped: () => false };
  #rounds = 0;

  constructor(deps: SourceInventoryDeps) {
    this.#deps = deps;
  }

  /** The same object as long as nothing has changed. `provider`: overrides the folder's provider. Never throws. */
  at(cwd: string, provider?: string): Inventory {
    const inventory = this.#moment.get(cwd, () => this.#look(cwd));
    const chosen = provider ?? this.providerOf(cwd);
    const isWhole = chosen === undefined || chosen === "" || this.#choose.isScoped(cwd);
    return isWhole ? inventory : this.#scope.of(inventory, chosen);
  }

  /**
   * Lets a function decide which folders count, from the most general to the most local, in place of those that are
   * found; undefined: all that are found. It must return the same list as long as its content is the same. The user's
   * own folders always count.
   */
  chooseBy(choose: SourceChoice): void {
    this.#choose = choose;
  }

  /** The folders that are found, from the most general to the most local, whichever of them count. */
  found(cwd: string): string[] {
    return findSources(cwd, this.#deps.places).sources.map(({ folder }) => folder);
  }

  /** The provider that is chosen for the folder. */
  providerOf(cwd: string): string | undefined {
    return this.#deps.chosenProvider?.(cwd);
  }

  /** Called after this process has written a file or a decision: everything is checked again. */
  forgetMoment(): void {
    this.#moment.clear();
    this.#deps.stamps.forgetMoment();
  }

  #look(cwd: string): Inventory {
    const known = this.#known.get(cwd);
    if (!known || known.chosen !== this.#choose.folders(cwd)) return this.#read(cwd, known);
    if (!this.#deps.stamps.areSame(known.looked, known.stamps)) return this.#read(cwd, known);
    const standings = this.#standings(cwd, known.listing.sources);
    if (standings.every((each, at) => each === known.standings[at])) return known.inventory;
    const inventory = this.#judged(cwd, known.listing);
    this.#known.set(cwd, { ...known, standings, inventory });
    return inventory;
  }

  #read(cwd: string, before: CachedInventory | undefined): Inventory {
    const { places, stamps } = this.#deps;
    const startedAt = Date.now();
    const { sources: found, looked } = findSources(cwd, places);
    const chosen = this.#choose.folders(cwd);
    const sources = chosen ? chosenSources(chosen, found) : found;
    looked.push(...(chosen ?? []));
    this.#rounds += 1;
    const reading = new SourceReading(stamps, { atMs: startedAt, round: this.#rounds });
    for (const source of sources) reading.read(source);
    looked.push(...reading.looked);
    const listing = { sources, entries: reading.entries.filter((entry) => !isModeText(entry, places)) };
    const isSame = before !== undefined && sameListing(before.listing, listing);
    const standings = this.#standings(cwd, sources);
    const inventory =
      isSame && standings.every((each, at) => each === before.standings[at])
        ? before.inventory
        : this.#judged(cwd, listing);
    this.#known.delete(cwd);
    const isAllSettled = looked.every((path) => isSettled(path, startedAt));
    // Files that may change without a new stamp are compared, and read again the next time.
    const known = { looked, stamps: isAllSettled ? looked.map((path) => stamps.of(path)) : [] };
    this.#known.set(cwd, { ...known, chosen, listing, standings, inventory });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return inventory;
  }

  #standings(cwd: string, sources: readonly Source[]): unknown[] {
    const { trust } = this.#deps;
    return sources.map(({ owner, folder }) => (owner === "project" ? trust.standing(cwd, folder) : undefined));
  }

  #judged(cwd: string, { sources, entries: found }: Listing): Inventory {
    const entries = found.map((entry) => this.#judge(cwd, entry));
    const usable = Map.groupBy(
      withoutReplaced(entries).filter(({ problem }) => problem === undefined),
      ({ kind }) => kind,
    );
    return { sources, entries, of: (kind) => usable.get(kind) ?? NONE };
  }

  #judge(cwd: string, entry: FoundEntry): SourceEntry {
    const { path, source, sidecar } = entry;
    const { trust } = this.#deps;
    const files = sidecar === undefined ? [path] : [path, sidecar];
    if (source.owner === "person" || files.every((each) => trust.isTrusted(cwd, each))) return entry;
    if (trust.leadsOut(cwd, path)) {
      return { ...entry, problem: `${path} is not used: it is a link that leads out of the project.` };
    }
    const hasLapsed = files.some((each) => trust.hasLapsed(cwd, each));
    const why = hasLapsed
      ? "it, or a file that it uses, has changed since you trusted it (/trust, or harness trust)"
      : "its folder is not trusted";
    return { ...entry, problem: `${path} is not used: ${why}.`, needsTrust: true, ...(hasLapsed && { hasLapsed }) };
  }
}

/** Kinds in which a name means exactly one thing. */
const NAMED: readonly EntryKind[] = ["tool", "command", "agent", "skill", "provider"];

/**
 * A replaced entry does not come back while the file that replaced it is off: the same name would do something else.
 */
function withoutReplaced(entries: readonly SourceEntry[]): readonly SourceEntry[] {
  const keyOf = ({ kind, name }: SourceEntry) => `${kind} ${name.toLowerCase()}`;
  const lapsed = new Map(entries.flatMap((entry, at) => (entry.hasLapsed ? [[keyOf(entry), at]] : [])));
  if (lapsed.size === 0) return entries;
  return entries.filter(
    (entry, at) => !NAMED.includes(entry.kind) || entry.hasLapsed || at > (lapsed.get(keyOf(entry)) ?? -1),
  );
}

/** The texts of the modes are in a folder of the same name, but are not fragments. */
function isModeText({ kind, name, source }: FoundEntry, { configFolder }: SourceLocations): boolean {
  return kind === "prompt" && source.folder === configFolder && Object.hasOwn(modeTexts, name);
}

const NONE: readonly SourceEntry[] = [];

/** A folder that was not found is the user's: their own program has named it. */
function chosenSources(chosen: readonly string[], found: readonly Source[]): Source[] {
  const folders = [...new Set(chosen)];
  const own = found.filter(
    ({ owner, layout, folder }) => owner === "person" && layout === "harness" && !folders.includes(folder),
  );
  const named = folders
    .filter(isFolder)
    .map(
      (folder): Source =>
        found.find((source) => source.folder === folder) ?? { folder, owner: "person", layout: "harness" },
    );
  return [...own, ...named];
}

function sameListing(one: Listing, other: Listing): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

import { createHash } from "node:crypto";
import { mtimeOf } from "./file-time.ts";
import type { FoundLeftover } from "./leftover.ts";
import { type Homes, places } from "./places.ts";

/** Things that are here already, and are never replaced. */
export type OwnThings = {
  /** The settings that the person has set. */
  readonly settings: Readonly<Record<string, unknown>>;
};

/** Everything that other programs left in their places; `version` changes with it. */
export type Leftovers = { readonly items: readonly FoundLeftover[]; readonly version: string };

/** Reads the old places. Nothing there is written, and what cannot be read is an item that says why. */
export function findLeftovers(homes: Homes, own: OwnThings): Leftovers {
  const found = places
    .map((place) => ({ place, path: place.path(homes) }))
    .map(({ place, path }) => ({ items: place.read(path, homes), time: mtimeOf(path) }))
    .sort((one, other) => other.time - one.time)
    .flatMap(({ items }) => items);
  const items = withoutConflicts(found, own).sort((one, other) => order(one) - order(other));
  const version = createHash("sha256").update(JSON.stringify(items)).digest("hex").slice(0, 16);
  return { items, version };
}

function order({ kind }: FoundLeftover): number {
  return ["setting", "policy", "agent", "prompt", "session"].indexOf(kind);
}

/** The settings that are one choice: a model of another provider is none. */
const GROUPS: Readonly<Record<string, string>> = { provider: "model" };

/** Our own things stay, and of two programs the one that was used last counts. */
function withoutConflicts(found: readonly FoundLeftover[], own: OwnThings): FoundLeftover[] {
  const takenBy = new Map<string, string>();
  const ownGroups = new Map(Object.keys(own.settings).map((key) => [GROUPS[key] ?? key, key]));
  const keys = new Set<string>();
  return found.flatMap((item) => {
    const { use, becomes: _, ...rest } = item;
    if (use?.kind !== "setting") return item;
    // Its newer versions have the value under another name, too.
    if (keys.has(`${item.path} ${use.key}`)) return [];
    keys.add(`${item.path} ${use.key}`);
    const group = GROUPS[use.key] ?? use.key;
    const ours = ownGroups.get(group);
    if (ours !== undefined) return { ...rest, why: `you have set ${ours} here, which stays` };
    const first = takenBy.get(group) ?? item.path;
    takenBy.set(group, first);
    if (first === item.path) return item;
    return { ...rest, why: `${first} was changed later: its value counts` };
  });
}

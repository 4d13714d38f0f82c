import { createHash } from "node:crypto";
import { policyMeaning } from "@harness/gate";
import { mtimeOf } from "./file-time.ts";
import type { FoundLeftover } from "./leftover.ts";
import { type Homes, places } from "./places.ts";

/** Things that harness has already; they are never replaced. */
export type OwnThings = {
  /** The settings that the user has set. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Names of agents. */
  readonly agents: ReadonlySet<string>;
  /** Modes with a text written by the user. */
  readonly prompts: ReadonlySet<string>;
  /** The meanings of rules. */
  readonly rules: ReadonlySet<string>;
};

/** Everything that other programs left behind; `version` changes with it. */
export type Leftovers = { readonly items: readonly FoundLeftover[]; readonly version: string };

/**
 * Reads the folders of other programs, and writes nothing there. Whatever cannot be read becomes an item that says why.
 */
export function findLeftovers(homes: Homes, own: OwnThings): Leftovers {
  const found = places
    .map((place) => ({ place, path: place.path(homes) }))
    .map(({ place, path }) => ({ items: place.read(path, homes), time: mtimeOf(path) }))
    .sort((one, other) => other.time - one.time)
    .flatMap(({ items }) => items);
  const items = withoutConflicts(found, own)
    .map((item) => withoutOwn(item, own))
    .filter(isFirst)
    .sort((one, other) => order(one) - order(other));
  const version = createHash("sha256").update(JSON.stringify(items)).digest("hex").slice(0, 16);
  return { items, version };
}

/** A value that stands for two settings here has one reason for being left out. */
function isFirst(item: FoundLeftover, at: number, all: readonly FoundLeftover[]): boolean {
  const { path, name, why } = item;
  if (why === undefined) return true;
  return all.findIndex((each) => each.path === path && each.name === name && each.why === why) === at;
}

function order({ kind }: FoundLeftover): number {
  return ["setting", "policy", "agent", "prompt", "session"].indexOf(kind);
}

/** The user's own agents, texts and rules stay. */
function withoutOwn(item: FoundLeftover, own: OwnThings): FoundLeftover {
  const { change, becomes: _, ...rest } = item;
  if (change?.kind === "agent" && own.agents.has(change.definition.name.toLowerCase()))
    return { ...rest, why: `you have an agent ${change.definition.name} here, which stays` };
  if (change?.kind === "prompt" && own.prompts.has(change.part))
    return { ...rest, why: "you have changed this text here, and yours stays" };
  if (change?.kind === "policy" && own.rules.has(policyMeaning(change.rule)))
    return { ...rest, why: "you have this rule here" };
  return item;
}

/** Settings that belong together: a model is useless with another provider. */
const GROUPS: Readonly<Record<string, string>> = { provider: "model" };

/** Things that harness has stay; of two programs, the one used last counts. */
function withoutConflicts(found: readonly FoundLeftover[], own: OwnThings): FoundLeftover[] {
  const takenBy = new Map<string, string>();
  const ownGroups = new Map(Object.keys(own.settings).map((key) => [GROUPS[key] ?? key, key]));
  const keys = new Set<string>();
  return found.flatMap((item) => {
    const { change, becomes: _, ...rest } = item;
    if (change?.kind !== "setting") return item;
    // Newer versions of the program have the value under another name, too.
    if (keys.has(`${item.path} ${change.key}`)) return [];
    keys.add(`${item.path} ${change.key}`);
    const group = GROUPS[change.key] ?? change.key;
    const ours = ownGroups.get(group);
    if (ours !== undefined) return { ...rest, why: `you have set ${ours} here, which stays` };
    const first = takenBy.get(group) ?? item.path;
    takenBy.set(group, first);
    if (first === item.path) return item;
    return { ...rest, why: `${first} was changed later: its value counts` };
  });
}

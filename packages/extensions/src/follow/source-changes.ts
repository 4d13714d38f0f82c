import type { Inventory } from "../sources/inventory.ts";
import type { SourceEntry } from "../sources/source.ts";

const MAX_NAMED = 4;

/** The changes between two readings of the sources, on one line; undefined if none matter. */
export function changesText(before: Pick<Inventory, "entries">, now: Pick<Inventory, "entries">): string | undefined {
  const [then, there] = [usable(before), usable(now)];
  const added = [...there].flatMap(([key, entry]) => (then.has(key) ? [] : [entryName(entry)]));
  const lapsed = new Map(now.entries.flatMap((entry) => (entry.hasLapsed ? [[keyOf(entry), entry]] : [])));
  const stopped = [...then].flatMap(([key]) => {
    const entry = lapsed.get(key);
    return entry ? [`${entryName(entry)} (${entry.path})`] : [];
  });
  const gone = [...then].flatMap(([key, entry]) => (there.has(key) || lapsed.has(key) ? [] : [entryName(entry)]));
  const changed = [...there].flatMap(([key, entry]) => {
    const old = then.get(key);
    return old && settledStamp(old) !== settledStamp(entry) ? [entryName(entry)] : [];
  });
  const waiting = needingTrust(now) - needingTrust(before);
  const parts = [
    ...changeLine("new", added),
    ...changeLine("changed", changed),
    ...changeLine("removed", gone),
    ...changeLine("changed, and off until you trust it again (/trust)", stopped),
    ...(waiting > 0 ? [`${waiting === 1 ? "1 file needs" : `${waiting} files need`} your trust (/trust)`] : []),
  ];
  return parts.length === 0 ? undefined : `Extensions: ${parts.join("; ")}.`;
}

/** Why hooks cannot run, without reasons that applied before; hooks that only need trust are reported elsewhere. */
export function unusedHooksText(
  before: Pick<Inventory, "entries"> | undefined,
  now: Pick<Inventory, "entries">,
): string | undefined {
  const known = new Set(before ? brokenHooks(before) : []);
  const other = brokenHooks(now).filter((problem) => !known.has(problem));
  if (other.length === 0) return undefined;
  const more = other.length > MAX_NAMED ? [`${other.length - MAX_NAMED} more: harness hooks.`] : [];
  return [...other.slice(0, MAX_NAMED), ...more].join(" ");
}

function brokenHooks({ entries }: Pick<Inventory, "entries">): string[] {
  return entries.flatMap(({ kind, problem, needsTrust }) =>
    kind === "hook" && problem !== undefined && !needsTrust ? [problem] : [],
  );
}

function changeLine(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMED ? [`${names.length - MAX_NAMED} more`] : [];
  return [`${what}: ${[...names.slice(0, MAX_NAMED), ...more].join(", ")}`];
}

function usable({ entries }: Pick<Inventory, "entries">): Map<string, SourceEntry> {
  return new Map(
    entries.flatMap((entry) => (entry.problem === undefined && !isOwnSettings(entry) ? [[keyOf(entry), entry]] : [])),
  );
}

function keyOf({ kind, path }: SourceEntry): string {
  return `${kind}\n${path}`;
}

/** A change of the user's own settings takes effect at once, and whoever made it knows. */
function isOwnSettings({ kind, source }: SourceEntry): boolean {
  return kind === "settings" && source.owner === "person";
}

function entryName({ kind, stage, name }: SourceEntry): string {
  if (kind === "hook-file") return `the hooks of ${name}`;
  return `${kind} ${stage === undefined ? name : `${stage}/${name}`}`;
}

function needingTrust({ entries }: Pick<Inventory, "entries">): number {
  // One file may contain things of several kinds.
  return new Set(entries.flatMap(({ path, needsTrust, hasLapsed }) => (needsTrust && !hasLapsed ? [path] : []))).size;
}

/** A stamp taken soon after a change is marked as unsettled; the rest of it identifies the file. */
export function settledStamp({ stamp }: Pick<SourceEntry, "stamp">): string {
  return stamp.replaceAll(/ unsettled \d+/g, "");
}

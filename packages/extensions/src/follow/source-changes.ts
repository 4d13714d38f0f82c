import type { SourceEntry } from "../sources/source.ts";
import type { Inventory } from "../sources/source-inventory.ts";

const MAX_NAMED = 4;

/** What has changed between two looks at the sources, in one line; undefined: nothing that counts. */
export function changesText(before: Pick<Inventory, "entries">, now: Pick<Inventory, "entries">): string | undefined {
  const [then, there] = [usable(before), usable(now)];
  const changes = [
    ...[...there].flatMap(([key, entry]) => {
      const old = then.get(key);
      if (!old) return [`${named(entry)} is new`];
      return settledStamp(old) === settledStamp(entry) ? [] : [`${named(entry)} has changed`];
    }),
    ...[...then].flatMap(([key, entry]) => (there.has(key) ? [] : [`${named(entry)} is gone`])),
  ];
  const waiting = needingTrust(now) - needingTrust(before);
  const trust = waiting > 0 ? [`${waiting === 1 ? "1 file needs" : `${waiting} files need`} your trust (/trust)`] : [];
  const shown = changes.slice(0, MAX_NAMED);
  const more = changes.length > shown.length ? [`${changes.length - shown.length} more`] : [];
  const all = [...shown, ...more, ...trust];
  return all.length === 0 ? undefined : `Extensions: ${all.join(", ")}.`;
}

function usable({ entries }: Pick<Inventory, "entries">): Map<string, SourceEntry> {
  return new Map(
    entries.flatMap((entry) => (entry.problem === undefined ? [[`${entry.kind}\n${entry.path}`, entry]] : [])),
  );
}

function named({ kind, stage, name }: SourceEntry): string {
  return `${kind === "hook-file" ? "hooks" : kind} ${stage === undefined ? name : `${stage}/${name}`}`;
}

function needingTrust({ entries }: Pick<Inventory, "entries">): number {
  return entries.filter(({ needsTrust }) => needsTrust === true).length;
}

/** A stamp that is taken soon after a change says so; the rest of it names the file. */
export function settledStamp({ stamp }: Pick<SourceEntry, "stamp">): string {
  return stamp.replaceAll(/ unsettled \d+/g, "");
}

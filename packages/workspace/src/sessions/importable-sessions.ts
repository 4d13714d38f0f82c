import type { ImportSourceName } from "@harness/protocol";
import { describeImport, findImports, importPlaces } from "@harness/storage";

/** The sessions that another program keeps below the home, newest first; `total`: with those that are looked at no more. */
export function importableSessions(home: string, { from, limit }: { from: ImportSourceName; limit: number }) {
  const found = findImports(home, from);
  const sessions = found.slice(0, limit).flatMap((each) => {
    const described = describeImport(each.path);
    return described ? [{ ...each, ...described }] : [];
  });
  const empty = Math.min(limit, found.length) - sessions.length;
  return { sessions, total: found.length - empty, ...importPlaces(from) };
}

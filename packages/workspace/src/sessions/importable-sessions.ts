import type { ImportSourceName } from "@harness/protocol";
import { describeImport, findImports, importPlaces } from "@harness/storage";

/** The sessions that another program keeps below the home, newest first. */
export function importableSessions(home: string, { from, limit }: { from: ImportSourceName; limit: number }) {
  const found = findImports(home, from);
  const sessions = found.slice(0, limit).map((each) => ({ ...each, ...describeImport(each.path) }));
  return { sessions, total: found.length, ...importPlaces(from) };
}

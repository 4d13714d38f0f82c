import type { ImportSourceName } from "@harness/protocol";
import { describeImport, findImports } from "@harness/storage";

/** Larger ones are listed without their title. */
const MAX_DESCRIBED_BYTES = 8 * 1024 * 1024;

/** The sessions that another program keeps below the home, newest first. */
export function importableSessions(home: string, { from, limit }: { from: ImportSourceName; limit: number }) {
  const found = findImports(home, from);
  const sessions = found
    .slice(0, limit)
    .map((each) => ({ ...each, ...(each.bytes <= MAX_DESCRIBED_BYTES ? describeImport(each.path) : {}) }));
  return { sessions, total: found.length };
}

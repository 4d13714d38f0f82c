import { factsOf } from "@harness/core";
import { digestView, notedKinds, type SessionParent } from "@harness/protocol";
import { newStoredDigest, type StoredDigest } from "../stored-digest.ts";
import { FactTable } from "./fact-table.ts";
import { MAX_PARENTS, scanLogs } from "./scan-logs.ts";
import { parentFolder, sharedTextFolders, textPaths } from "./shared-history.ts";
import { type FactLocations, StoredFacts } from "./stored-facts.ts";

/** The facts that a fork shares with its parent, which stay in the parent's logs. */
export type SharedFacts = {
  places: FactLocations;
  digest: StoredDigest;
  /** The folders with saved texts of the parent and its own parents. */
  blobs: string[];
};

/** `dir`: the folder of the fork. If nothing can be read, nothing is shared; reading the fork reports that. */
export function sharedFacts(dir: string, parent: SessionParent, { checked }: { checked: boolean }): SharedFacts {
  const folder = parentFolder(dir, parent);
  const digest = newStoredDigest({ sessionId: parent.sessionId, cwd: "", createdAt: "" });
  const table = new FactTable();
  try {
    const scan = scanLogs(folder, { checked, mayLackLog: false, maxParents: MAX_PARENTS });
    for (let index = 0; index < scan.places.table.length; index += 1) {
      const entry = scan.places.table.at(index);
      if (entry.seq <= parent.seq) table.add(entry);
    }
    const places = { ...scan.places, logs: [...scan.places.logs], table };
    noteAll(digest, places);
    return { places, digest, blobs: textPaths(sharedTextFolders(dir, parent, scan.inheritedBlobs)) };
  } catch {
    return { places: { logs: [], table: new FactTable(), createdAt: "", checked }, digest, blobs: [] };
  }
}

function noteAll(digest: StoredDigest, places: FactLocations): void {
  const view = digestView(digest);
  const facts = new StoredFacts(places, () => places);
  for (const fact of factsOf(facts, { kinds: [...notedKinds] })) view.see(fact);
}

import { errorCode, systemReason } from "@harness/host";
import { ROOT_AGENT, type SessionParent } from "@harness/protocol";
import type { Damage } from "../damage.ts";
import { type AgentLogFolder, agentFolders, type SessionFolder } from "../session-folder.ts";
import { readFacts, StaleEntryError } from "./fact-lines.ts";
import { type FactEntry, FactTable } from "./fact-table.ts";
import { type LogContent, readLog } from "./log-reader.ts";
import { parentFolder, type SavedTextFolder, sharedTextFolders } from "./shared-history.ts";
import { type FactLocations, gapEntry, isGap } from "./stored-facts.ts";

/**
 * One agent's log, and what its file needs before anything is appended; undefined if it cannot be read, and nothing is
 * written then.
 */
export type AgentLogState = AgentLogFolder & { file: Pick<LogContent, "keepBytes" | "open"> | undefined };

export type LogsScan = {
  header: LogContent["header"];
  places: FactLocations;
  /** The session's own logs, without those of its parent. */
  agents: AgentLogState[];
  damage: Omit<Damage, "headerLost" | "lost">;
  damagedPieces: Buffer[];
  /** The folders with the parents' saved texts, nearest first. */
  inheritedBlobs: SavedTextFolder[];
};

type ScanOptions = {
  checked: boolean;
  /** The main log is lost, but the session is known. */
  mayLackLog: boolean;
  /** How many parents, each forked from the next, are read at most. */
  maxParents: number;
};

/** A gap of more numbers than this means that the number after it is wrong. */
const MAX_GAP = 1_000_000;
/** Longer chains of forks are circles. */
export const MAX_PARENTS = 200;

/** Reads all logs of a session and those of its parents. Throws file system errors if the main log cannot be read. */
export function scanLogs({ dir }: SessionFolder, options: ScanOptions): LogsScan {
  const { checked, mayLackLog, maxParents } = options;
  const unreadable: string[] = [];
  const own = new FactTable();
  const folders = agentFolders(dir);
  const contents = folders.map((folder, log) => {
    try {
      return readLog(folder.log, { checked }, (place) => own.add({ ...place, log }));
    } catch (error) {
      const isMain = folder.agentId === ROOT_AGENT;
      // A crash left the child's folder without a first line, or the main log is lost.
      if (errorCode(error) === "ENOENT" && (!isMain || mayLackLog)) return NOTHING;
      if (isMain) throw Object.assign(Object(error), { path: folder.log });
      unreadable.push(`${folder.log} (${systemReason(error)})`);
      return undefined;
    }
  });
  const header = contents[0]?.header;
  // A session that only records its parent shares nothing with it.
  const shares = header?.parent && header.parent.seq > 0 ? header.parent : undefined;
  const parent = shares && inherited(dir, shares, { checked, mayLackLog: false, maxParents });
  const logs = [...folders.map(({ log }) => log), ...(parent?.places.logs ?? [])];
  const found = parent ? joined(parent.places.table, own, { ownLogs: folders.length, until: shares?.seq }) : own;
  const { table, missing, misnumbered } = merged(found, (entries) => isSame(entries, logs, checked));
  const damagedPieces = contents.flatMap((content) => content?.damaged ?? []);
  return {
    header,
    places: { logs, table, createdAt: header?.createdAt ?? "", checked },
    agents: folders.map((folder, index) => ({ ...folder, file: contents[index] })),
    damage: {
      pieces: damagedPieces.length,
      missing,
      misnumbered,
      ...(shares && !parent ? { parent: shares.sessionId } : {}),
      ...(unreadable.length > 0 ? { unreadable } : {}),
    },
    damagedPieces,
    inheritedBlobs: parent && shares ? sharedTextFolders(dir, shares, parent.inheritedBlobs) : [],
  };
}

const NOTHING: LogContent = { header: undefined, damaged: [], keepBytes: 0, open: false };

/** Undefined if it cannot be read. */
function inherited(dir: string, parent: SessionParent, options: ScanOptions): LogsScan | undefined {
  if (options.maxParents === 0) return undefined;
  try {
    return scanLogs(parentFolder(dir, parent), { ...options, maxParents: options.maxParents - 1 });
  } catch {
    return undefined;
  }
}

/** The facts of a parent up to a number, then those of the fork. Gaps are found again. */
function joined(
  parent: FactTable,
  own: FactTable,
  { ownLogs, until = 0 }: { ownLogs: number; until?: number | undefined },
) {
  const table = new FactTable();
  for (const index of parent.order()) {
    const entry = parent.at(index);
    if (entry.seq <= until && !isGap(entry)) table.add({ ...entry, log: entry.log + ownLogs });
  }
  for (let index = 0; index < own.length; index += 1) table.add(own.at(index));
  return table;
}

/**
 * The facts of all logs in `seq` order, each number once, with an entry for each gap. The same logs always give the
 * same table.
 */
function merged(
  found: FactTable,
  isSameFact: (entries: readonly [FactEntry, FactEntry]) => boolean,
): { table: FactTable; missing: number; misnumbered: number } {
  const table = new FactTable();
  let missing = 0;
  let misnumbered = 0;
  for (const index of found.order()) {
    const entry = found.at(index);
    const last = table.length > 0 ? table.at(table.length - 1) : undefined;
    const gap = entry.seq - (last?.seq ?? 0) - 1;
    if (gap < 0) {
      if (!last || !isSameFact([last, entry])) misnumbered += 1;
      continue;
    }
    if (missing + gap > MAX_GAP) {
      misnumbered += 1;
      continue;
    }
    if (gap > 0) table.add(gapEntry(last?.seq ?? 0, gap));
    missing += gap;
    table.add(entry);
  }
  return { table, missing, misnumbered };
}

function isSame(entries: readonly [FactEntry, FactEntry], logs: readonly string[], checked: boolean): boolean {
  try {
    const facts = readFacts(entries, logs, { checked });
    const [one, other] = entries.map((entry) => JSON.stringify(facts.get(entry)));
    return one === other;
  } catch (error) {
    if (error instanceof StaleEntryError) return false;
    throw error;
  }
}

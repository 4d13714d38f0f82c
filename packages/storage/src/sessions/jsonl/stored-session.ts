import { basename } from "node:path";
import { factsOf, type LoadedSession, lastFactOf, type SessionHeader } from "@harness/core";
import { errorCode, systemReason } from "@harness/host";
import { ROOT_AGENT } from "@harness/protocol";
import { type Damage, damageText } from "../damage.ts";
import { readMeta } from "../meta-file.ts";
import type { OwnSessions } from "../own-sessions.ts";
import { type AgentLogFolder, agentFolders, type SessionFolder, sessionFolder } from "../session-folder.ts";
import { dateOfId } from "../session-id.ts";
import { newStoredDigest, type StoredDigest } from "../stored-digest.ts";
import { readFacts, StaleEntryError } from "./fact-lines.ts";
import { type FactEntry, FactTable } from "./fact-table.ts";
import { jsonlDigest } from "./jsonl-digest.ts";
import { type LogContent, readHeader, readLog } from "./log-reader.ts";
import { type FactLocations, gapEntry, StoredFacts } from "./stored-facts.ts";

export const LOG_VERSION = 1;

/**
 * One agent's log with what its file needs before more is written to it; undefined: it cannot be read, and nothing is
 * written there.
 */
export type AgentLogState = AgentLogFolder & { file: Pick<LogContent, "keepBytes" | "open"> | undefined };

export type StoredSession = LoadedSession & {
  facts: StoredFacts;
  places: FactLocations;
  agents: AgentLogState[];
  /** Its first line says so, with a proof that nobody else can make. */
  isBegunHere: boolean;
  digest: StoredDigest;
  /** Copies of all pieces that could not be read. */
  damagedPieces: Buffer[];
};

/** `checked`: each fact is held against its schema, whoever has begun the session. */
export type SessionTrust = { own: OwnSessions; checked: boolean };

/** More missing numbers than this were not lost: the number after the gap is wrong. */
const MAX_GAP = 1_000_000;

/**
 * Looks through all logs of a session; its facts are then read in pages. Throws what the file system throws when there is no
 * main log to read, unless `meta.json` knows of messages in it. Facts of sessions that were not begun here are checked.
 */
export function readStoredSession(dir: string, { own, checked: always }: SessionTrust): StoredSession {
  const folder = sessionFolder(dir);
  // Before the logs: another process may be writing all of them.
  const meta = readMeta(folder.meta)?.digest;
  const known = jsonlDigest(basename(dir), folder)?.digest;
  const isBegunHere = own.hasBegun(basename(dir), headerIn(folder.log));
  const scan = scanLogs(folder, { checked: always || !isBegunHere, mayLackLog: known?.damage.lost === "messages" });
  const facts = new StoredFacts(scan.places, () => scanLogs(folder, { checked: true, mayLackLog: true }).places);
  const { header: begun } = scan;
  const header = movedHeader(headerFor(dir, { begun, meta, facts }), facts);
  scan.places.createdAt = header.createdAt;
  const counted: Damage = {
    ...scan.damage,
    ...(known?.damage.lost ? { lost: known.damage.lost } : {}),
    headerLost: !begun && facts.seq + scan.damagedPieces.length > 0,
  };
  const damage = damageText(counted);
  return {
    header,
    ...(damage ? { damage } : {}),
    facts,
    places: scan.places,
    read: (range) => facts.read(range),
    agents: scan.agents,
    isBegunHere,
    digest: {
      ...(known ?? newStoredDigest(header)),
      sessionId: header.sessionId,
      subagents: scan.agents.length - 1,
      damage: counted,
    },
    damagedPieces: scan.damagedPieces,
  };
}

/** Undefined also where there is no log to read, which reading it all says. */
function headerIn(log: string): LogContent["header"] {
  try {
    return readHeader(log);
  } catch {
    return undefined;
  }
}

type LogsScan = {
  header: LogContent["header"];
  places: FactLocations;
  agents: AgentLogState[];
  damage: Omit<Damage, "headerLost" | "lost">;
  damagedPieces: Buffer[];
};

type ScanOptions = { checked: boolean /** The main log is lost, but the session is known. */; mayLackLog: boolean };

function scanLogs({ dir }: SessionFolder, { checked, mayLackLog }: ScanOptions): LogsScan {
  const unreadable: string[] = [];
  const found = new FactTable();
  const folders = agentFolders(dir);
  const contents = folders.map((folder, log) => {
    try {
      return readLog(folder.log, { checked }, (place) => found.add({ ...place, log }));
    } catch (error) {
      const isMain = folder.agentId === ROOT_AGENT;
      // A child that died between its folder and its first line; or a main log that is lost.
      if (errorCode(error) === "ENOENT" && (!isMain || mayLackLog)) return NOTHING;
      if (isMain) throw Object.assign(Object(error), { path: folder.log });
      unreadable.push(`${folder.log} (${systemReason(error)})`);
      return undefined;
    }
  });
  const header = contents[0]?.header;
  const logs = folders.map(({ log }) => log);
  const { table, missing, misnumbered } = merged(found, (entries) => isSame(entries, logs, checked));
  const damagedPieces = contents.flatMap((content) => content?.damaged ?? []);
  const damage = { pieces: damagedPieces.length, missing, misnumbered };
  return {
    header,
    places: { logs, table, createdAt: header?.createdAt ?? "", checked },
    agents: folders.map((folder, index) => ({ ...folder, file: contents[index] })),
    damage: { ...damage, ...(unreadable.length > 0 ? { unreadable } : {}) },
    damagedPieces,
  };
}

const NOTHING: LogContent = { header: undefined, damaged: [], keepBytes: 0, open: false };

/** `cwd` is empty where neither the log nor `meta.json` has it, and treated as a folder that is gone. */
function headerFor(
  dir: string,
  { begun, meta, facts }: { begun: LogContent["header"]; meta: StoredDigest | undefined; facts: StoredFacts },
): SessionHeader {
  // A notice of a gap at the beginning has no date yet.
  const firstAt = () => facts.read({ limit: 2 }).facts.find(({ at }) => at !== "")?.at;
  return {
    sessionId: basename(dir),
    cwd: begun?.cwd ?? meta?.cwd ?? "",
    createdAt: begun?.createdAt || meta?.createdAt || firstAt() || dateOfId(basename(dir)),
    version: begun?.version ?? LOG_VERSION,
    ...(begun?.client !== undefined && { client: begun.client }),
    ...(begun?.place !== undefined && { place: begun.place }),
  };
}

/** With the folder that the session has been taken along to. */
function movedHeader(header: SessionHeader, facts: StoredFacts): SessionHeader {
  // Other agents write no such fact: one of theirs is forged, and then all are looked at.
  const last = lastFactOf(facts, "folder_update");
  const moved =
    last === undefined || last.agentId === ROOT_AGENT
      ? last
      : [...factsOf(facts, { kinds: ["folder_update"] })].findLast(({ agentId }) => agentId === ROOT_AGENT);
  if (moved?.update.sessionUpdate !== "folder_update") return header;
  const { place: _place, ...rest } = header;
  const { cwd, place } = moved.update;
  return { ...rest, cwd, ...(place && { place }) };
}

/** In `seq` order over all logs, each number once, with an entry for each gap. The same logs give the same table. */
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

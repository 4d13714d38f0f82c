import { factsOf, type LoadedSession, type SessionHeader } from "@harness/core";
import { ROOT_AGENT } from "@harness/protocol";
import { type Damage, damageText } from "../damage.ts";
import { readMeta } from "../meta-file.ts";
import type { OwnSessions } from "../own-sessions.ts";
import { sessionFolder, sessionIdOf } from "../session-folder.ts";
import { dateOfId } from "../session-id.ts";
import { newStoredDigest, type StoredDigest } from "../stored-digest.ts";
import { jsonlDigest } from "./jsonl-digest.ts";
import { type LogContent, readHeader } from "./log-reader.ts";
import { type AgentLogState, MAX_PARENTS, scanLogs } from "./scan-logs.ts";
import { type SavedTextFolder, textPaths } from "./shared-history.ts";
import { type FactLocations, StoredFacts } from "./stored-facts.ts";

export const LOG_VERSION = 1;

export type StoredSession = LoadedSession & {
  isGap(seq: number): boolean;
  facts: StoredFacts;
  places: FactLocations;
  agents: AgentLogState[];
  /** The folders with saved texts of the sessions that it was forked from. */
  inheritedBlobs: SavedTextFolder[];
  /** Its first line says so, with a proof that nobody else can make. */
  isBegunHere: boolean;
  digest: StoredDigest;
  /** Copies of all pieces that could not be read. */
  damagedPieces: Buffer[];
};

/** `checked`: each fact is held against its schema, whoever has begun the session. */
export type SessionTrust = { own: OwnSessions; checked: boolean };

/**
 * Looks through all logs of a session; its facts are then read in pages. Throws what the file system throws when there is no
 * main log to read, unless `meta.json` knows of messages in it. Facts of sessions that were not begun here are checked.
 */
export function readStoredSession(dir: string, { own, checked: always }: SessionTrust): StoredSession {
  const folder = sessionFolder(dir);
  // Before the logs: another process may be writing all of them.
  const meta = readMeta(folder.meta)?.digest;
  const known = jsonlDigest(sessionIdOf(dir), folder)?.digest;
  const isBegunHere = own.hasBegun(sessionIdOf(dir), headerIn(folder.log));
  // Only harness itself makes a fork: any other log could name a session of the user's to have it read.
  const maxParents = isBegunHere ? MAX_PARENTS : 0;
  const mayLackLog = known?.damage.lost === "messages";
  const scan = scanLogs(folder, { checked: always || !isBegunHere, mayLackLog, maxParents });
  const lookAgain = () => scanLogs(folder, { checked: true, mayLackLog: true, maxParents }).places;
  const facts = new StoredFacts(scan.places, lookAgain);
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
    isGap: (seq) => facts.isGap(seq),
    agents: scan.agents,
    inheritedBlobs: scan.inheritedBlobs,
    savedTexts: [folder.blobs, ...textPaths(scan.inheritedBlobs)],
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

/** `cwd` is empty where neither the log nor `meta.json` has it, and treated as a folder that is gone. */
function headerFor(
  dir: string,
  { begun, meta, facts }: { begun: LogContent["header"]; meta: StoredDigest | undefined; facts: StoredFacts },
): SessionHeader {
  // A notice of a gap at the beginning has no date yet.
  const firstAt = () => facts.read({ limit: 2 }).facts.find(({ at }) => at !== "")?.at;
  return {
    sessionId: sessionIdOf(dir),
    cwd: begun?.cwd ?? meta?.cwd ?? "",
    createdAt: begun?.createdAt || meta?.createdAt || firstAt() || dateOfId(sessionIdOf(dir)),
    version: begun?.version ?? LOG_VERSION,
    ...(begun?.client !== undefined && { client: begun.client }),
    ...(begun?.place !== undefined && { place: begun.place }),
    ...(begun?.parent !== undefined && { parent: begun.parent }),
  };
}

/** With the folder that the session has been taken along to. */
function movedHeader(header: SessionHeader, facts: StoredFacts): SessionHeader {
  const own = factsOf(facts, { kinds: ["folder_update"], after: header.parent?.seq ?? 0 });
  // Other agents write no such fact: one of theirs is forged.
  const moved = [...own].findLast(({ agentId }) => agentId === ROOT_AGENT);
  if (moved?.update.sessionUpdate !== "folder_update") return header;
  const { place: _place, ...rest } = header;
  const { cwd, place } = moved.update;
  return { ...rest, cwd, ...(place && { place }) };
}

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
  /** The folders with the parents' saved texts. */
  inheritedBlobs: SavedTextFolder[];
  /** The first line proves it, in a way that nobody else can. */
  isBegunHere: boolean;
  digest: StoredDigest;
  /** Copies of all unreadable pieces. */
  damagedPieces: Buffer[];
};

/** `checked`: each fact is checked against its schema, whoever began the session. */
export type SessionTrust = { own: OwnSessions; checked: boolean };

/**
 * Scans all logs of a session; its facts are then read in pages. Throws file system errors if the main log cannot be
 * read, unless `meta.json` knows of messages in it. Facts of sessions begun elsewhere are checked.
 */
export function readStoredSession(dir: string, { own, checked: always }: SessionTrust): StoredSession {
  const folder = sessionFolder(dir);
  // Taken before the logs are read, because another process may be writing them.
  const meta = readMeta(folder.meta)?.digest;
  const known = jsonlDigest(sessionIdOf(dir), folder)?.digest;
  const isBegunHere = own.hasBegun(sessionIdOf(dir), headerIn(folder.log));
  // Only harness makes forks: any other log could name one of the user's sessions to have it read.
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

/** Also undefined if there is no log; reading everything reports that. */
function headerIn(log: string): LogContent["header"] {
  try {
    return readHeader(log);
  } catch {
    return undefined;
  }
}

/** `cwd` is empty if neither the log nor `meta.json` has it; it then counts as a folder that is gone. */
function headerFor(
  dir: string,
  { begun, meta, facts }: { begun: LogContent["header"]; meta: StoredDigest | undefined; facts: StoredFacts },
): SessionHeader {
  // A notice about a gap at the very beginning has no date yet.
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

/** With the folder that the session was moved to. */
function movedHeader(header: SessionHeader, facts: StoredFacts): SessionHeader {
  const own = factsOf(facts, { kinds: ["folder_update"], after: header.parent?.seq ?? 0 });
  // Only the main agent writes this fact: others are forged.
  const moved = [...own].findLast(({ agentId }) => agentId === ROOT_AGENT);
  if (moved?.update.sessionUpdate !== "folder_update") return header;
  const { place: _place, ...rest } = header;
  const { cwd, place } = moved.update;
  return { ...rest, cwd, ...(place && { place }) };
}

import { basename } from "node:path";
import type { LoadedSession, SessionHeader } from "@harness/core";
import { errorCode, systemReason } from "@harness/host";
import { ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { type Damage, damageText } from "../damage.ts";
import { dateOfId } from "../session-id.ts";
import type { StoredDigest } from "../stored-digest.ts";
import { lossOf } from "./log-loss.ts";
import { type LogContent, readHeader, readLog } from "./log-reader.ts";
import { type DatedDigest, readMeta } from "./meta-file.ts";
import type { OwnSessions } from "./own-sessions.ts";
import { type AgentLogFolder, agentFolders, sessionFolder } from "./session-folder.ts";

export const LOG_VERSION = 1;

/**
 * One agent's log with what its file needs before more is written to it; undefined: it cannot be read, and nothing is
 * written there.
 */
export type AgentLogState = AgentLogFolder & { file: Pick<LogContent, "keepBytes" | "open"> | undefined };

export type StoredSession = LoadedSession & {
  agents: AgentLogState[];
  counted: Damage;
  /** Its first line says so, with a proof that nobody else can make. */
  isBegunHere: boolean;
  /** Knowledge about the messages that the main log has lost. */
  lost?: StoredDigest;
  /** Copies of all pieces that could not be read. */
  damagedPieces: Buffer[];
};

/** `checked`: each fact is held against its schema, whoever has begun the session. */
export type SessionTrust = { own: OwnSessions; checked: boolean };

/** More missing numbers than this were not lost: the number behind the gap is wrong. */
const MAX_GAP = 1_000_000;

/**
 * Reads all logs of a session. Throws what the file system throws when there is no main log to read, unless `meta.json`
 * knows of messages in it. Facts of sessions that were not begun here are checked.
 */
export function readStoredSession(dir: string, { own, checked: always }: SessionTrust): StoredSession {
  // Before the logs: another process may be writing all of them.
  const meta = readMeta(sessionFolder(dir).meta);
  const isBegunHere = own.hasBegun(basename(dir), headerIn(sessionFolder(dir).log));
  const checked = always || !isBegunHere;
  const unreadable: string[] = [];
  const folders = agentFolders(dir);
  const logs = folders.map((folder) => ({ folder, content: readAgentLog(folder, { meta, checked, unreadable }) }));
  const facts = logs.flatMap(({ content }) => content?.facts ?? []);
  const found = logs[0]?.content?.header;
  const begun = headerFor(dir, found, meta?.digest, facts[0]);
  const merged = mergeFacts(facts, begun.createdAt);
  const header = movedHeader(begun, merged.facts);
  const lost = lossOf(meta, mainLog(logs[0]?.content));
  const damagedPieces = logs.flatMap(({ content }) => content?.damaged ?? []);
  const counted: Damage = {
    pieces: damagedPieces.length,
    missing: merged.missing,
    misnumbered: merged.misnumbered,
    headerLost: !found && facts.length + damagedPieces.length > 0,
    ...(lost ? { lost } : {}),
    ...(unreadable.length > 0 ? { unreadable } : {}),
  };
  const damage = damageText(counted);
  return {
    header,
    facts: merged.facts,
    ...(damage ? { damage } : {}),
    agents: logs.map(({ folder, content }) => ({ ...folder, file: content })),
    counted,
    isBegunHere,
    ...(meta && lost === "messages" ? { lost: { ...meta.digest, sessionId: header.sessionId } } : {}),
    damagedPieces,
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

/** Undefined: the log of a child that cannot be read, which is said in `unreadable`. The others are there without it. */
function readAgentLog(
  { agentId, log }: AgentLogFolder,
  { meta, checked, unreadable }: { meta: DatedDigest | undefined; checked: boolean; unreadable: string[] },
): LogContent | undefined {
  try {
    return readLog(log, { checked });
  } catch (error) {
    // A child that died between its folder and its first line; or a main log that is lost.
    const isExpected = agentId !== ROOT_AGENT || (meta?.digest.turns ?? 0) > 0;
    if (errorCode(error) === "ENOENT" && isExpected) return nothing();
    if (agentId === ROOT_AGENT) throw Object.assign(Object(error), { path: log });
    unreadable.push(`${log} (${systemReason(error)})`);
    return undefined;
  }
}

function nothing(): LogContent {
  return { header: undefined, facts: [], damaged: [], keepBytes: 0, open: false };
}

function mainLog({ facts, keepBytes }: LogContent = nothing()): { turns: number; readBytes: number } {
  const isTurn = ({ update }: StoredFact) => update.sessionUpdate === "user_message" && update.origin === "user";
  return { turns: facts.some(isTurn) ? 1 : 0, readBytes: keepBytes };
}

/** `cwd` is empty where neither the log nor `meta.json` has it, and treated as a folder that is gone. */
function headerFor(
  dir: string,
  found: LogContent["header"],
  meta: StoredDigest | undefined,
  first: StoredFact | undefined,
): SessionHeader {
  return {
    sessionId: basename(dir),
    cwd: found?.cwd ?? meta?.cwd ?? "",
    createdAt: found?.createdAt || meta?.createdAt || first?.at || dateOfId(basename(dir)),
    version: found?.version ?? LOG_VERSION,
    ...(found?.client !== undefined && { client: found.client }),
    ...(found?.place !== undefined && { place: found.place }),
  };
}

/** With the folder that the session has been taken along to. */
function movedHeader(header: SessionHeader, facts: readonly StoredFact[]): SessionHeader {
  const moved = facts.findLast((fact) => fact.update.sessionUpdate === "folder_update" && fact.agentId === ROOT_AGENT);
  if (moved?.update.sessionUpdate !== "folder_update") return header;
  const { place: _place, ...rest } = header;
  const { cwd, place } = moved.update;
  return { ...rest, cwd, ...(place && { place }) };
}

/**
 * Puts the facts of all agents in the order of their numbers. A notice stands for the numbers of a gap, since the fold
 * accepts none. The same logs give the same facts.
 */
function mergeFacts(
  found: StoredFact[],
  createdAt: string,
): { facts: StoredFact[]; missing: number; misnumbered: number } {
  const sorted = isAscending(found) ? found : found.toSorted((a, b) => a.seq - b.seq);
  const facts: StoredFact[] = [];
  let missing = 0;
  let misnumbered = 0;
  for (const fact of sorted) {
    const last = facts.at(-1);
    const gap = fact.seq - (last?.seq ?? 0) - 1;
    if (gap < 0) {
      if (JSON.stringify(fact) !== JSON.stringify(last)) misnumbered += 1;
      continue;
    }
    if (missing + gap > MAX_GAP) {
      misnumbered += 1;
      continue;
    }
    if (gap > 0) facts.push(gapNotice((last?.seq ?? 0) + 1, gap, last?.at ?? createdAt));
    missing += gap;
    facts.push(fact);
  }
  return { facts, missing, misnumbered };
}

function gapNotice(from: number, gap: number, at: string): StoredFact {
  const seq = from + gap - 1;
  const which = gap === 1 ? `Entry ${from}` : `Entries ${from} to ${seq}`;
  return {
    seq,
    at,
    agentId: ROOT_AGENT,
    update: {
      sessionUpdate: "notice",
      severity: "warning",
      title: `${which} of this session could not be read.`,
      description: "The log was damaged. What comes before and after is complete.",
      ...(gap > 1 ? { missing: gap } : {}),
    },
  };
}

function isAscending(facts: StoredFact[]): boolean {
  return facts.every((fact, index) => index === 0 || fact.seq > (facts[index - 1]?.seq ?? 0));
}

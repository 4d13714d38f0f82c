import { basename } from "node:path";
import type { LoadedSession, SessionHeader } from "@harness/core";
import { errorCode } from "@harness/host";
import { ROOT_AGENT, type StoredFact, type UnknownUpdate } from "@harness/protocol";
import { type Damage, damageText } from "./damage.ts";
import { type LogContent, readLog } from "./log-reader.ts";
import { readMeta } from "./meta-file.ts";
import { type AgentFolder, agentFolders, sessionFolder } from "./session-folder.ts";
import { dateOfId } from "./session-id.ts";

export const LOG_VERSION = 1;

/** One agent's log with what its file needs before more is written to it. */
export type AgentLogState = AgentFolder & Pick<LogContent, "keepBytes" | "open">;

export type StoredSession = LoadedSession & {
  agents: AgentLogState[];
  counted: Damage;
  /** Copies of all pieces that could not be read. */
  damagedPieces: Buffer[];
};

/** More missing numbers than this were not lost: the number behind the gap is wrong. */
const MAX_GAP = 1_000_000;

/** Reads all logs of a session. Throws what the file system throws when there is no main log to read. */
export function readSession(dir: string): StoredSession {
  const folders = agentFolders(dir);
  const logs = folders.map((folder) => ({ folder, content: readAgentLog(folder) }));
  const facts = logs.flatMap(({ content }) => content.facts);
  const found = logs[0]?.content.header;
  const header = headerFor(dir, found, facts[0]);
  const merged = mergeFacts(facts, header.createdAt);
  const damagedPieces = logs.flatMap(({ content }) => content.damaged);
  const counted: Damage = {
    pieces: damagedPieces.length,
    missing: merged.missing,
    misnumbered: merged.misnumbered,
    headerLost: !found && facts.length + damagedPieces.length > 0,
  };
  const damage = damageText(counted);
  return {
    header,
    facts: merged.facts,
    ...(damage ? { damage } : {}),
    agents: logs.map(({ folder, content: { keepBytes, open } }) => ({ ...folder, keepBytes, open })),
    counted,
    damagedPieces,
  };
}

function readAgentLog({ agentId, log }: AgentFolder): LogContent {
  try {
    return readLog(log);
  } catch (error) {
    // A child that died between its folder and its first line.
    if (agentId !== ROOT_AGENT && errorCode(error) === "ENOENT") {
      return { header: undefined, facts: [], damaged: [], keepBytes: 0, open: false };
    }
    throw error;
  }
}

/** `cwd` is empty where neither the log nor `meta.json` has it, and treated as a folder that is gone. */
function headerFor(dir: string, found: LogContent["header"], first: StoredFact | undefined): SessionHeader {
  const meta = found?.cwd !== undefined && found.createdAt ? undefined : readMeta(sessionFolder(dir).meta)?.digest;
  return {
    sessionId: basename(dir),
    cwd: found?.cwd ?? meta?.cwd ?? "",
    createdAt: found?.createdAt || meta?.createdAt || first?.at || dateOfId(basename(dir)),
    version: found?.version ?? LOG_VERSION,
    ...(found?.client !== undefined && { client: found.client }),
  };
}

/**
 * Puts the facts of all agents in the order of their numbers. A gap is filled, since the fold accepts none: the first
 * missing number becomes a notice that says so, the others an update of no meaning. The same logs give the same facts.
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
    fillGap(facts, gap, last?.at ?? createdAt);
    missing += gap;
    facts.push(fact);
  }
  return { facts, missing, misnumbered };
}

function fillGap(facts: StoredFact[], gap: number, at: string): void {
  const from = facts.length + 1;
  for (let seq = from; seq < from + gap; seq += 1) {
    facts.push({ seq, at, agentId: ROOT_AGENT, update: seq === from ? gapNotice(from, gap) : placeholder });
  }
}

function gapNotice(from: number, gap: number): StoredFact["update"] {
  const which = gap === 1 ? `Entry ${from}` : `Entries ${from} to ${from + gap - 1}`;
  return {
    sessionUpdate: "notice",
    severity: "warning",
    title: `${which} of this session could not be read.`,
    description: "The log was damaged. What comes before and after is complete.",
  };
}

const unknown: UnknownUpdate = { sessionUpdate: "missing" };
// Readers skip kinds they do not know; the type lists only those we do.
const placeholder = unknown as unknown as StoredFact["update"];

function isAscending(facts: StoredFact[]): boolean {
  return facts.every((fact, index) => index === 0 || fact.seq > (facts[index - 1]?.seq ?? 0));
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { factsOf, type SessionCheck, type SessionFault } from "@harness/core";
import { ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { damageText } from "../damage.ts";
import { MessageFolder } from "../markdown/message-folder.ts";
import { agentFolders, type SessionFolder, sidecarFolder } from "../session-folder.ts";
import type { SessionFormat, SessionReading } from "../session-format.ts";
import { logFaults } from "./log-faults.ts";

/** Further missing texts are only counted. */
const MAX_TEXTS = 20;

/** Checks every line of a session's files. Throws file system errors if there is nothing to read. */
export function checkSession(folder: SessionFolder, format: SessionFormat): SessionCheck {
  const place = existsSync(folder.log) ? folder : sidecarFolder(folder);
  const logs = existsSync(place.dir) ? agentFolders(place.dir) : [];
  const faults = logs.flatMap(({ agentId, log }) => logFaults(log, { isMain: agentId === ROOT_AGENT }));
  const reading = format.read(folder, { checked: true });
  const { damage } = reading.digest;
  const { facts, texts, missing } = lookedThrough(reading, place.blobs);
  // Damaged lines are listed one by one, which also explains a lost end.
  const { lost, ...counted } = damage;
  const isTold = lost === "end" && faults.length + missing.length > 0;
  const rest = damageText({ ...counted, pieces: 0, missing: 0, ...(lost && !isTold && { lost }) });
  return {
    sessionId: folder.sessionId,
    folder: folder.dir,
    facts,
    faults: [
      ...faults,
      ...missing.map((what) => ({ path: place.log, what })),
      ...(rest === undefined ? [] : [{ path: place.log, what: rest }]),
      ...goneTexts(texts),
      ...messageFaults(folder),
    ],
  };
}

/** Messages that the user has written or edited and that are not read. */
function messageFaults({ dir }: SessionFolder): SessionFault[] {
  const messages = new MessageFolder(dir);
  return messages.list().flatMap((file) => {
    const read = messages.read(file);
    const path = join(messages.dir, file.name);
    return "problem" in read ? [{ path, what: `The message is not read: ${read.problem}.` }] : [];
  });
}

type SavedText = { path: string; seq: number };

/**
 * Goes through all facts once: their number, the session's saved texts that they name, and numbers missing from every
 * log.
 */
function lookedThrough(pages: SessionReading, blobs: string): { facts: number; texts: SavedText[]; missing: string[] } {
  const texts = new Map<string, number>();
  const missing: string[] = [];
  let facts = 0;
  for (const fact of factsOf(pages)) {
    if (pages.isGap?.(fact.seq)) missing.push(gapText(fact));
    else facts += 1;
    for (const path of textsIn(fact, blobs)) if (!texts.has(path)) texts.set(path, fact.seq);
  }
  return { facts, texts: [...texts].map(([path, seq]) => ({ path, seq })), missing };
}

function gapText({ seq: last, update }: StoredFact): string {
  const first = last - ((update.sessionUpdate === "notice" ? update.missing : undefined) ?? 1) + 1;
  return first === last ? `Entry ${last} is in no log.` : `Entries ${first} to ${last} are in no log.`;
}

function textsIn(fact: StoredFact, blobs: string): string[] {
  const start = JSON.stringify(`${blobs}/`).slice(1, -1);
  const text = JSON.stringify(fact);
  if (!text.includes(start)) return [];
  return text
    .split(start)
    .slice(1)
    .flatMap((part) => {
      const name = /^[\w-]+(?:\.[\w-]+)*/.exec(part)?.[0];
      return name === undefined ? [] : [`${blobs}/${name}`];
    });
}

function goneTexts(texts: readonly SavedText[]): SessionFault[] {
  const gone = texts.filter(({ path }) => !existsSync(path));
  const told = gone.slice(0, MAX_TEXTS).map(({ path, seq }) => ({
    path,
    what: `This saved text is gone. Entry ${seq} has its beginning.`,
  }));
  const more = gone.length - told.length;
  return more === 0
    ? told
    : [...told, { path: gone[MAX_TEXTS]?.path ?? "", what: `${more} more saved texts are gone.` }];
}

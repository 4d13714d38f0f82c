import { createHash } from "node:crypto";
import { dirname, isAbsolute, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { SessionQuery, SessionSearch } from "@harness/core";
import { isWorthListing, type StoredDigest } from "../stored-digest.ts";
import type { IndexedSessions } from "./session-index.ts";

const MAX_PROBLEMS = 5;
const SLICE_MS = 8;

/** `key`: its name in the index. `stamp`: changes with each of its logs; undefined if it cannot be read. */
export type SearchedSession = { digest: StoredDigest; key: string; stamp: string | undefined };

/** The listed sessions, newest first. `stampOf`: covers all logs of a session, which takes longer. */
export async function searchedSessions(
  { readable, places, stamps, unreadable }: IndexedSessions,
  stampOf: (sessionId: string) => string,
): Promise<SearchedSession[]> {
  const keyOf = ({ sessionId }: StoredDigest) => indexKey(sessionId, places?.get(sessionId));
  const found: SearchedSession[] = [];
  let sliceEnd = performance.now() + SLICE_MS;
  for (const digest of readable.filter(isWorthListing)) {
    const { sessionId, subagents } = digest;
    // A subagent writes only to its own log.
    const stamp = subagents > 0 ? hashOf(stampOf(sessionId)) : stamps.get(sessionId);
    found.push({ digest, key: keyOf(digest), stamp });
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    sliceEnd = performance.now() + SLICE_MS;
  }
  for (const { digest } of unreadable) if (digest) found.push({ digest, key: keyOf(digest), stamp: undefined });
  return found.sort((a, b) => (a.digest.updatedAt < b.digest.updatedAt ? 1 : -1));
}

/**
 * The name of a session in the index, which all stores of this folder share. `place`: the session's folder, if it is
 * not the store's own.
 */
function indexKey(sessionId: string, place: string | undefined): string {
  return place === undefined ? sessionId : join(place, sessionId);
}

/** The folder of the session with this name in the index; undefined for the index's own folder. */
export function placeOfKey(key: string): string | undefined {
  return isAbsolute(key) ? dirname(key) : undefined;
}

type SearchedKind = Pick<SessionQuery, "model" | "since" | "archived">;

export function isSearched(
  { digest }: Pick<SearchedSession, "digest">,
  { folder, model, since, archived = false }: Pick<SessionSearch, "folder"> & SearchedKind,
): boolean {
  const { cwd, model: ofSession = "", updatedAt } = digest;
  return (
    (archived === "include" || (digest.archived ?? false) === archived) &&
    (folder === undefined || cwd === folder) &&
    (model === undefined || ofSession.toLowerCase().includes(model.toLowerCase())) &&
    (since === undefined || Date.parse(updatedAt) >= Date.parse(since))
  );
}

/** Sentences that say which sessions could not be searched, and why. */
export function searchProblems(
  { problem, unreadable }: IndexedSessions,
  found: { unreadable: ReadonlyMap<string, string>; notReached: number },
): string[] {
  const { notReached } = found;
  const why = new Map([...unreadable.map((each) => [each.sessionId, each.problem] as const), ...found.unreadable]);
  const all = [
    ...(problem === undefined ? [] : [problem]),
    ...(notReached === 0 ? [] : [partialText(notReached)]),
    ...why.values(),
  ];
  const more = all.length - MAX_PROBLEMS;
  return more > 0 ? [...all.slice(0, MAX_PROBLEMS), `${more} more sessions could not be searched.`] : all;
}

function partialText(count: number): string {
  const what = count === 1 ? "The oldest session was" : `The ${count} oldest sessions were`;
  return `${what} not searched: harness cannot keep its search index here, and reading all logs takes too long. Narrow the search by folder or date.`;
}

function hashOf(text: string): string {
  return createHash("sha1").update(text).digest("base64url");
}

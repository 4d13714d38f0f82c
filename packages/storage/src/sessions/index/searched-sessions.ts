import { createHash } from "node:crypto";
import type { SessionSearch } from "@harness/core";
import { isWorthListing, type StoredDigest } from "../stored-digest.ts";
import type { IndexedSessions } from "./session-index.ts";

const MAX_PROBLEMS = 5;

/** `stamp`: changes with each of its logs; undefined: it cannot be read. */
export type SearchedSession = { digest: StoredDigest; stamp: string | undefined };

/** The sessions that lists show, newest first. `stampOf`: of all logs of a session, which takes longer. */
export function searchedSessions(
  { readable, stamps, unreadable }: IndexedSessions,
  stampOf: (sessionId: string) => string,
): SearchedSession[] {
  const listed = readable.filter(isWorthListing).map((digest) => {
    const { sessionId, subagents } = digest;
    // A subagent writes to its own log alone.
    const stamp = subagents > 0 ? hashOf(stampOf(sessionId)) : stamps.get(sessionId);
    return { digest, stamp };
  });
  const others = unreadable.flatMap(({ digest }) => (digest ? [{ digest, stamp: undefined }] : []));
  return [...listed, ...others].sort((a, b) => (a.digest.updatedAt < b.digest.updatedAt ? 1 : -1));
}

export function isSearched(
  { digest }: Pick<SearchedSession, "digest">,
  { folder, model, since, archived = false }: Pick<SessionSearch, "folder" | "model" | "since" | "archived">,
): boolean {
  const { cwd, model: ofSession = "", updatedAt } = digest;
  return (
    (digest.archived ?? false) === archived &&
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

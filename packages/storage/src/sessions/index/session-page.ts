import type { SessionPage, SessionQuery } from "@harness/core";
import { isWorthListing, type StoredDigest, summaryFrom } from "../stored-digest.ts";
import { isSearched } from "./searched-sessions.ts";
import type { IndexedSessions } from "./session-index.ts";

/** The most problems named in one answer. */
const MAX_PROBLEMS = 5;

/** One page of sessions, newest first, and the problems of those that cannot be listed. */
export function pageOf(indexed: IndexedSessions, asked: SessionQuery): SessionPage {
  const { cwd, query, cursor, limit, ...filters } = asked;
  const wants = { ...filters, ...(cwd === undefined ? {} : { folder: cwd }) };
  const words = (query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const { readable, unreadable } = indexed;
  const damages = new Map(unreadable.map((each) => [each.sessionId, each.problem]));
  const found = [...readable.filter(isWorthListing), ...unreadable.flatMap(({ digest }) => digest ?? [])].filter(
    (digest) => isSearched({ digest }, wants) && holds(digest, words),
  );
  const placed = found.map((digest) => ({ digest, place: placeOf(digest) }));
  const wanted = placed.filter(({ place }) => cursor === undefined || place < cursor);
  wanted.sort((a, b) => (a.place < b.place ? 1 : -1));
  const page = wanted.slice(0, limit);
  const last = page.at(-1);
  const problems = problemsOf(indexed, cwd);
  return {
    sessions: page.map(({ digest }) => {
      const damage = damages.get(digest.sessionId);
      return { ...summaryFrom(digest), ...(damage === undefined ? {} : { damage }) };
    }),
    total: found.length,
    ...(last && wanted.length > page.length ? { nextCursor: last.place } : {}),
    ...(problems.length > 0 ? { problems } : {}),
  };
}

/** Why sessions are missing from a list, in sentences. */
function problemsOf({ readable, unreadable, problem }: IndexedSessions, cwd: string | undefined): string[] {
  const isLost = (digest: StoredDigest) => cwd !== undefined && digest.cwd === "" && isWorthListing(digest);
  const all = [
    ...(problem === undefined ? [] : [problem]),
    ...unreadable.flatMap((each) => (each.digest ? [] : [each.problem])),
    ...readable.filter(isLost).map(({ sessionId }) => folderLost(sessionId)),
  ];
  const more = all.length - MAX_PROBLEMS;
  return more > 0 ? [...all.slice(0, MAX_PROBLEMS), `${more} more sessions cannot be listed.`] : all;
}

function folderLost(sessionId: string): string {
  return `The folder of session ${sessionId} is no longer known: its log is damaged and meta.json is gone. Open it by its id.`;
}

/** The sort key of a session, by time, then by id; also the cursor of `list`. */
function placeOf({ updatedAt, sessionId }: StoredDigest): string {
  return `${updatedAt} ${sessionId}`;
}

function holds({ title = "", preview, sessionId, cwd, model = "" }: StoredDigest, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${title}\n${preview}\n${sessionId}\n${cwd}\n${model}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

import type { SessionPage, SessionQuery } from "@harness/core";
import type { SessionSummary } from "@harness/protocol";
import { isWorthListing, type StoredDigest, summaryFrom } from "../stored-digest.ts";
import { isSearched } from "./searched-sessions.ts";
import type { IndexedSessions } from "./session-index.ts";

/** The most problems named in one answer. */
const MAX_PROBLEMS = 5;

/** Clients that run one task and leave. */
const RUNS: ReadonlySet<string> = new Set(["harness-run", "harness-command"]);

/**
 * One page of sessions, newest first, and the problems of those that cannot be listed. `timeOf`: the time to sort by;
 * absent: the last activity.
 */
export function pageOf(
  indexed: IndexedSessions,
  asked: SessionQuery,
  timeOf: (digest: StoredDigest) => string = ({ updatedAt }) => updatedAt,
): SessionPage {
  const { cwd, query, cursor, limit, runsLast = false, ...filters } = asked;
  const wants = { ...filters, ...(cwd === undefined ? {} : { folder: cwd }) };
  const words = (query ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const { readable, unreadable } = indexed;
  const damages = new Map(unreadable.map((each) => [each.sessionId, each.problem]));
  const found = [...readable.filter(isWorthListing), ...unreadable.flatMap(({ digest }) => digest ?? [])].filter(
    (digest) => isSearched({ digest }, wants) && holds(digest, words),
  );
  const rank = ({ client = "" }: StoredDigest) => (!runsLast ? "" : RUNS.has(client) ? "0 " : "1 ");
  const placed = found.map((digest) => ({ digest, place: `${rank(digest)}${timeOf(digest)} ${digest.sessionId}` }));
  const wanted = placed.filter(({ place }) => cursor === undefined || place < cursor);
  wanted.sort((a, b) => (a.place < b.place ? 1 : -1));
  const page = wanted.slice(0, limit);
  const last = page.at(-1);
  const problems = problemsOf(indexed, cwd);
  const summary = ({ digest }: ListedDigest): SessionSummary => {
    const damage = damages.get(digest.sessionId);
    return { ...summaryFrom(digest), ...(damage === undefined ? {} : { damage }) };
  };
  const parents = parentsOf(page, wanted.slice(limit));
  return {
    sessions: page.map(summary),
    ...(parents.length > 0 ? { parents: parents.map(summary) } : {}),
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

/** `place`: the sort key, its rank and its time; also the cursor of a list. */
type ListedDigest = { digest: StoredDigest; place: string };

/** The sessions of later pages that sessions on this one were forked from, directly or in several steps. */
function parentsOf(page: readonly ListedDigest[], later: readonly ListedDigest[]): ListedDigest[] {
  if (!page.some(({ digest }) => digest.parent)) return [];
  const rest = new Map(later.map((each) => [each.digest.sessionId, each]));
  const parents: ListedDigest[] = [];
  const addParent = ({ digest: { parent } }: ListedDigest) => {
    const found = parent && rest.get(parent.sessionId);
    if (!found) return;
    rest.delete(found.digest.sessionId);
    parents.push(found);
  };
  for (const each of page) addParent(each);
  for (const each of parents) addParent(each);
  return parents;
}

function holds({ title = "", preview, sessionId, cwd, model = "" }: StoredDigest, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${title}\n${preview}\n${sessionId}\n${cwd}\n${model}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

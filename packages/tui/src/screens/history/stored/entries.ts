import type { SessionHit, SessionSummary } from "@harness/protocol";
import type { AskedSessions } from "./asked-sessions.ts";
import { forkRows } from "./fork-tree.ts";
import { foundWords, queryWords } from "./found-words.ts";
import { type ImportableSession, programNames } from "./importable.ts";

/** A session as the list shows it: that of a passage may not be among those that were listed. */
type ListedSession = {
  readonly sessionId: string;
  readonly name: string;
  readonly folder: string;
  readonly at: string;
  readonly summary: SessionSummary | undefined;
};

/** A row that can be selected: a session, or a passage of one. */
export type HistoryEntry = {
  readonly session: ListedSession;
  readonly hit: SessionHit | undefined;
  /** It belongs to another program, and has to be imported. */
  readonly importable?: ImportableSession;
  /** False: the session stands above, with another passage. */
  readonly isHead: boolean;
  /** How many of its passages were found. */
  readonly hits: number;
  readonly branch: string;
  readonly forks: number;
  readonly isFolded: boolean;
};

type Sources = {
  readonly asked: AskedSessions;
  readonly isFound: boolean;
  readonly sessions: readonly SessionSummary[] | undefined;
  readonly passages: { readonly hits: readonly SessionHit[] } | undefined;
  readonly folded: ReadonlySet<string>;
};

/** More passages of one session would hide the other sessions; Ctrl+F in the session finds them. */
const MAX_HITS = 3;
/** Sessions with all words in the title come first, up to this many. */
const MAX_TITLED = 20;
const PLAIN = { hit: undefined, isHead: true, hits: 0, branch: "", forks: 0, isFolded: false } as const;

export function historyEntries(sources: Sources): HistoryEntry[] {
  const { asked, sessions = [], folded } = sources;
  if (asked.words !== "") return foundEntries(sources);
  return forkRows(sessions, folded).map((row) => ({ ...PLAIN, ...row, session: listed(row.session) }));
}

function listed(summary: SessionSummary): ListedSession {
  const { sessionId, title, preview, cwd, updatedAt } = summary;
  return { sessionId, name: title ?? preview, folder: cwd, at: updatedAt, summary };
}

/**
 * The results of a search: sessions with the words in their titles, then those with passages, the best first, then
 * those whose id, folder or model has them. Until the server has answered, known sessions with the words.
 */
function foundEntries({ asked, isFound, sessions = [], passages }: Sources): HistoryEntry[] {
  const words = queryWords(asked.words);
  const parts = asked.words.toLowerCase().split(" ");
  const holds = (text: string): boolean => parts.every((part) => text.includes(part));
  const known = isFound ? sessions : sessions.filter((each) => holds(textOf(each)));
  const hits = (passages?.hits ?? []).filter(
    ({ excerpt, title }) => isFound || foundWords(`${title} ${excerpt}`, words).length > 0,
  );
  const ofSession = Map.groupBy(hits, ({ sessionId }) => sessionId);
  const byId = new Map(known.map((each) => [each.sessionId, each]));
  const titled = known.filter(({ title }) => title !== undefined && holds(title.toLowerCase())).slice(0, MAX_TITLED);
  const order = new Set([...titled.map(({ sessionId }) => sessionId), ...ofSession.keys(), ...byId.keys()]);
  return [...order].flatMap((id) => entriesOfSession(byId.get(id), ofSession.get(id) ?? []));
}

function entriesOfSession(summary: SessionSummary | undefined, hits: readonly SessionHit[]): HistoryEntry[] {
  const [best] = hits;
  const session = summary ? listed(summary) : best && ofHit(best);
  if (!session) return [];
  if (!best) return [{ ...PLAIN, session }];
  return hits.slice(0, MAX_HITS).map((hit, at) => ({ ...PLAIN, session, hit, isHead: at === 0, hits: hits.length }));
}

function ofHit({ sessionId, title, folder, at }: SessionHit): ListedSession {
  return { sessionId, name: title, folder, at, summary: undefined };
}

function textOf({ title = "", preview, sessionId, cwd, model = "" }: SessionSummary): string {
  return `${title} ${preview} ${sessionId} ${cwd} ${model}`.toLowerCase();
}

/** Sessions of other programs with all words in their title, folder, file or program, newest first. */
export function importableEntries(sessions: readonly ImportableSession[], words: string): HistoryEntry[] {
  const parts = words.toLowerCase().split(" ");
  return sessions
    .filter(({ title = "", cwd = "", path, from }) => {
      const text = `${title} ${cwd} ${path} ${programNames[from]}`.toLowerCase();
      return parts.every((part) => text.includes(part));
    })
    .toSorted((a, b) => (a.changedAt < b.changedAt ? 1 : -1))
    .map((importable) => ({
      session: {
        sessionId: importable.path,
        name: importable.title ?? importable.path,
        folder: importable.cwd ?? "",
        at: importable.changedAt,
        summary: undefined,
      },
      ...{ importable, hit: undefined, isHead: true, hits: 0, branch: "", forks: 0, isFolded: false },
    }));
}

import type { SessionConfig, SessionHit, SessionSummary } from "@harness/protocol";
import type { FactPage } from "./fact-pages.ts";
import type { LoadedSession, SessionHeader, SessionLog } from "./session-log.ts";

/** Why a session is not available: `problem` is a sentence for people, programs switch on `kind`. */
export type StoreProblem = {
  problem: string;
  /**
   * `newer`: written by a newer version; it can be read but not continued. `foreign`: others may have written it; the
   * same. `taken`: there is a different one in its place. `failed`: a disk error.
   */
  kind: "not_found" | "ambiguous" | "locked" | "newer" | "foreign" | "taken" | "failed";
  /** Ids that an ambiguous name could mean. */
  candidates?: string[];
  /** The process of this machine that has it open. */
  holder?: number;
};

/** The fields that are new in a fork; the rest is its parent's. `seq`: the last fact that both have. */
export type ForkStart = Pick<SessionHeader, "sessionId" | "createdAt" | "client"> & { seq: number; cwd?: string };

/**
 * Something wrong in the files of a session, in sentences for people. `line`: counted from 1. `isHarmless`: nothing of the
 * session is lost.
 */
export type SessionFault = { path: string; line?: number; what: string; isHarmless?: true };

/** `facts`: those that can be read. */
export type SessionCheck = { sessionId: string; folder: string; facts: number; faults: SessionFault[] };

export type SessionQuery = {
  /** Only sessions of exactly this folder. */
  cwd?: string;
  /** Each of its words must occur in the id, title, preview, folder or model; case does not count. */
  query?: string;
  /** Only sessions whose model's name contains this. */
  model?: string;
  /** Only sessions that went on at this time or later, as an ISO date. */
  since?: string;
  /** The archived sessions alone, or these as well; otherwise they are left out. */
  archived?: boolean | "include";
  /** Sessions of `harness run` after all others. */
  runsLast?: boolean;
  /** `nextCursor` of the page before. */
  cursor?: string;
  limit: number;
};

/**
 * `total`: how many there are on all pages. `parents`: sessions of later pages that those of this one were forked from.
 * `problems`: sentences about stored sessions that cannot be listed.
 */
export type SessionPage = {
  sessions: SessionSummary[];
  parents?: SessionSummary[];
  total: number;
  nextCursor?: string;
  problems?: string[];
};

export type SessionSearch = {
  query: string;
  /** Only sessions of exactly this folder. */
  folder?: string;
  /** Only sessions whose model's name contains this. */
  model?: string;
  /** Only what was said at this time or later, as an ISO date. */
  since?: string;
  /** The archived sessions alone; otherwise they are left out. */
  archived?: boolean;
  limit: number;
  /** Takes secrets out of a text before an excerpt is cut from it. */
  hide?(text: string): string;
};

/**
 * Texts that match, best first; `count`: on all pages. `pending`: so many sessions have not been searched yet, which
 * another search goes on with. `problems`: sentences on sessions that cannot be searched.
 */
export type SearchReport = { hits: SessionHit[]; count: number; pending: number; problems?: string[] };

/** A session in the bin; `folder`: where it is now. */
export type DeletedSession = { sessionId: string; folder: string };

/** Makes ready to clean up what a session has outside of its folder, and returns what does so once it is gone. */
export type CleanUp = (session: DeletedSession) => () => Promise<void>;

/**
 * Where deleted sessions wait for thirty days. They are found by nothing but these methods; a `name` is an id, a unique
 * prefix of one, or a title. No method throws for a fault of the disk or of a file.
 */
export interface SessionBin {
  /** True if a session with exactly this id is here: a new one with its id would keep it from being restored. */
  has(sessionId: string): boolean;
  /** Moves the session with exactly this id here as a whole, unless a process holds it. Its forks get their own copies first. */
  put(sessionId: string): Promise<{ deleted: true } | StoreProblem>;
  /** Moves it back to where it was. */
  restore(name: string): Promise<{ sessionId: string; folder: string } | StoreProblem>;
  /** The last deleted first, the archived ones as well. */
  list(query: SessionQuery): Promise<SessionPage>;
  /** Removes the session with exactly this id for good. */
  discard(sessionId: string, cleanUp: CleanUp): Promise<{ removed: true } | StoreProblem>;
  /** Removes for good what has been here for thirty days; ends early when the signal aborts. */
  empty(signal: AbortSignal, cleanUp: CleanUp): Promise<void>;
}

/**
 * The sessions on disk. No method throws for a fault of the disk or of a file. A `name` is an id or a unique prefix of
 * one; names are looked up among the stored ids and never become part of a path unchecked.
 */
export interface SessionStore {
  /** A new id that is readable and sortable: `20261121-143022-x7f3`, in local time. */
  newSessionId(): string;
  /** Nothing is written before the first fact; a session without any prompt leaves nothing behind. */
  create(header: SessionHeader, options?: { isForeign?: boolean }): SessionLog;
  /**
   * A new session that has the facts of an existing session up to `seq`, and goes on from there. Nothing is written before
   * its first own fact; the shared ones stay in the logs of that session until it is deleted.
   */
  fork(name: string, start: ForkStart): SessionLog | StoreProblem;
  /** The ids of all sessions that have a folder, also of those that cannot be read. */
  ids(): string[];
  /** Looks at every line of the session with exactly this id, whether a process holds it or not. Changes nothing. */
  check(sessionId: string): SessionCheck | StoreProblem;
  /** The ids of the forks that were made of the session with exactly this id, deleted ones among them. */
  forksOf(sessionId: string): string[];
  /**
   * Opens the session to continue it; it has one writer until `log.close()`. `checked`: each fact is validated against
   * its schema and left out if it does not fit, for a log with which a session could not be opened.
   */
  open(name: string, options?: { checked?: boolean }): { log: SessionLog; loaded: LoadedSession } | StoreProblem;
  /**
   * Reads the session as it is, even while another process writes it. `settled`: what was changed in its files is stored
   * first, so that its numbers are final; not where a process has it open.
   */
  load(name: string, options?: { settled?: boolean }): LoadedSession | StoreProblem;
  /**
   * The last facts of the session with exactly this id, at a cost that does not grow with it; none where only `load` can
   * tell.
   */
  tail(sessionId: string, limit: number): FactPage;
  /** The summary of a session that is not opened. */
  inspect(name: string): { session: SessionSummary; config: SessionConfig; seq: number } | StoreProblem;
  /** Newest first. */
  list(query: SessionQuery): Promise<SessionPage>;
  /** Full-text search over what was said and done in all sessions. */
  search(search: SessionSearch): Promise<SearchReport>;
  /** Prepares searches for what has changed since; ends early when the signal aborts. */
  refreshIndex(signal: AbortSignal): Promise<void>;
  /** The id for an id, a unique prefix of one, or a title. */
  resolve(name: string): Promise<{ sessionId: string } | StoreProblem>;
  /** The folder of the stored session with exactly this id. */
  folderOf(sessionId: string): string | undefined;
  /** Deleted sessions. */
  readonly bin: SessionBin;
  /** Removes the session with exactly this id for good, unless a process holds it. */
  remove(sessionId: string): { removed: true } | StoreProblem;
}

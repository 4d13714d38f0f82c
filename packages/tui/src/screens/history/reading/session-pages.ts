import { errorText } from "@harness/client";
import type { Result, ServerMethods, SessionSummary } from "@harness/protocol";
import type { ScreenHost } from "../../screen.ts";
import { askedOf, type HistoryState, historySlice, isFound, listedEntries } from "../state.ts";
import { type AskedSessions, keyOfAsked, listParams } from "../stored/asked-sessions.ts";

/**
 * The size of a page: more than any screen shows. On the way to the oldest session, as many as the server returns at
 * once.
 */
const PAGE = 200;
const LARGEST_PAGE = 500;
/** The next page is requested when the list is this close to the last loaded session. */
const AHEAD = 60;

type Page = Result<ServerMethods, "session/list">;
type Host = Pick<ScreenHost, "store" | "server" | "clock">;

/**
 * Reads the stored sessions page by page: as far as the list goes, and only those that match the filter. Only one
 * request is in flight at a time, and the next one is chosen when it returns, so that fast typing requests only the
 * last filter.
 */
export class SessionPages {
  readonly #host: Host;
  readonly #shown: (change: () => void) => void;
  /** Ends when the last request has been answered; undefined: none is in flight. */
  #asking: PromiseWithResolvers<void> | undefined;
  /**
   * Whether the loaded sessions may be out of date. `replace`: all; `newest`: only the newest, where sessions move when
   * they are used.
   */
  #stale: "no" | "newest" | "replace" = "no";
  #toEnd = false;
  /** All are to be loaded, wherever the list is. */
  #all = false;

  /** `shown`: makes a change of the list, and keeps the selection on its entry. */
  constructor(host: Host, shown: (change: () => void) => void) {
    this.#host = host;
    this.#shown = shown;
  }

  /** Reads the list from its beginning; the loaded sessions stay in view until then. */
  load(): void {
    this.#stale = "replace";
    void this.#ask();
  }

  /** Sessions were created, continued or renamed. */
  refresh(): void {
    if (this.#stale === "no") this.#stale = "newest";
    void this.#ask();
  }

  /** The list has moved, or is asked for something else. `toEnd`: the selection should end on the oldest session. */
  follow({ toEnd = false } = {}): void {
    this.#toEnd = toEnd;
    this.#all = false;
    void this.#ask();
  }

  /** Loads all sessions that match. False: it failed, or something else was asked for meanwhile. */
  async loadAll(): Promise<boolean> {
    const key = keyOfAsked(askedOf(this.#state));
    this.#all = true;
    await (this.#asking?.promise ?? this.#ask());
    this.#all = false;
    const { cursor, foundBy } = this.#state;
    return cursor === undefined && foundBy === key && keyOfAsked(askedOf(this.#state)) === key;
  }

  get #state(): HistoryState {
    return historySlice.of(this.#host.store.get());
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    const asking = Promise.withResolvers<void>();
    this.#asking = asking;
    try {
      for (let next = this.#next(); next; next = this.#next()) await next();
    } catch (error) {
      this.#toEnd = false;
      this.#all = false;
      const { sessions = [] } = this.#state;
      this.#change({ sessions, unlisted: `The sessions could not be listed: ${errorText(error)}` });
    } finally {
      this.#asking = undefined;
      asking.resolve();
    }
  }

  #next(): (() => Promise<void>) | undefined {
    const state = this.#state;
    const { sessions, cursor, selected, top, foundBy } = state;
    const asked = askedOf(state);
    const isOther = !sessions || foundBy === undefined || this.#stale === "replace" || !isFound(state);
    if (isOther || this.#stale !== "no") return () => this.#first(asked, isOther);
    const isNear = this.#toEnd || this.#all || Math.max(selected, top) + AHEAD >= listedEntries(state).length;
    return cursor !== undefined && isNear ? () => this.#more(asked, cursor) : undefined;
  }

  async #first(asked: AskedSessions, isOther: boolean): Promise<void> {
    this.#stale = "no";
    const page = await this.#page(asked, { limit: PAGE });
    const { sessions = [], cursor } = this.#state;
    const known = isOther ? [] : olderThan(page, sessions);
    const rest = known.length > 0 ? cursor : page.nextCursor;
    const listed = withParents(page);
    this.#show(asked, page, { sessions: [...listed, ...without(known, listed)], cursor: rest });
  }

  async #more(asked: AskedSessions, cursor: string): Promise<void> {
    const page = await this.#page(asked, { cursor, limit: this.#toEnd || this.#all ? LARGEST_PAGE : PAGE });
    const { sessions = [] } = this.#state;
    this.#show(asked, page, {
      sessions: [...sessions, ...without(withParents(page), sessions)],
      cursor: page.nextCursor,
    });
  }

  #page(asked: AskedSessions, where: { cursor?: string; limit: number }): Promise<Page> {
    const { server, clock } = this.#host;
    return server.call("session/list", { ...listParams(asked, clock.wallNow()), ...where });
  }

  #show(asked: AskedSessions, { total, problems }: Page, list: Pick<HistoryState, "sessions" | "cursor">): void {
    this.#shown(() => this.#change({ ...list, foundBy: keyOfAsked(asked), total, unlisted: problems?.join(" ") }));
    if (this.#toEnd) this.#change({ selected: Number.MAX_SAFE_INTEGER, wheeled: false });
  }

  #change(changes: Partial<HistoryState>): void {
    historySlice.change(this.#host.store, changes);
  }
}

/** Loaded sessions that follow the last one of the newest page; empty if their position after it is unknown. */
function olderThan({ sessions: page, nextCursor }: Page, known: readonly SessionSummary[]): SessionSummary[] {
  const last = page.at(-1);
  if (!last || nextCursor === undefined) return [];
  const at = known.findIndex(({ sessionId }) => sessionId === last.sessionId);
  return at < 0 ? [] : without(known.slice(at + 1), page);
}

/** With the sessions of later pages that forks of this one stand below. */
function withParents({ sessions, parents = [] }: Page): SessionSummary[] {
  return [...sessions, ...without(parents, sessions)];
}

function without(sessions: readonly SessionSummary[], others: readonly SessionSummary[]): SessionSummary[] {
  const ids = new Set(others.map(({ sessionId }) => sessionId));
  return sessions.filter(({ sessionId }) => !ids.has(sessionId));
}

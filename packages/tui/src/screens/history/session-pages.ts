import { errorText } from "@harness/client";
import type { Result, ServerMethods, SessionSummary } from "@harness/protocol";
import type { ScreenHost } from "../screen.ts";
import { type HistoryState, historySlice, isFound, selectedSession, shownSessions } from "./state.ts";

/**
 * The size of a page: more than any screen shows. On the way to the oldest session, as many as the server returns at
 * once.
 */
const PAGE = 200;
const LARGEST_PAGE = 500;
/** The next page is requested when the mark is this close to the last loaded session. */
const AHEAD = 60;

type Page = Result<ServerMethods, "session/list">;

/**
 * Reads the stored sessions page by page: as far as the mark goes, and only those that match the filter. Only one
 * request is in flight at a time, and the next one is chosen when it returns, so that fast typing requests only the
 * last filter.
 */
export class SessionPages {
  readonly #host: Pick<ScreenHost, "store" | "server">;
  readonly #changed: () => void;
  #isAsking = false;
  /**
   * Whether the loaded sessions may be out of date. `replace`: all; `newest`: only the newest, where sessions move when
   * they are used.
   */
  #stale: "no" | "newest" | "replace" = "no";
  #toEnd = false;

  /** `changed`: a different session may be marked. */
  constructor(host: Pick<ScreenHost, "store" | "server">, changed: () => void) {
    this.#host = host;
    this.#changed = changed;
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

  /** The mark or the filter has changed. `toEnd`: the mark should end on the oldest session of all. */
  follow({ toEnd = false } = {}): void {
    this.#toEnd = toEnd;
    void this.#ask();
  }

  get #state(): HistoryState {
    return historySlice.of(this.#host.store.get());
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (let next = this.#next(); next; next = this.#next()) await next();
    } catch (error) {
      this.#toEnd = false;
      const { sessions = [] } = this.#state;
      this.#change({ sessions, problem: `The sessions could not be listed: ${errorText(error)}` });
    } finally {
      this.#isAsking = false;
    }
  }

  #next(): (() => Promise<void>) | undefined {
    const { filter, sessions, cursor, selected } = this.#state;
    const stale = this.#stale;
    if (!sessions || stale !== "no" || !isFound(this.#state)) {
      const isOther = !sessions || stale === "replace" || !isFound(this.#state);
      return () => this.#first(filter, isOther);
    }
    const isNear = this.#toEnd || selected + AHEAD >= sessions.length;
    return cursor !== undefined && isNear ? () => this.#more(filter, cursor) : undefined;
  }

  async #first(filter: string, isOther: boolean): Promise<void> {
    this.#stale = "no";
    const page = await this.#page(filter, { limit: PAGE });
    const { sessions = [], cursor } = this.#state;
    const known = isOther ? [] : olderThan(page, sessions);
    const rest = known.length > 0 ? cursor : page.nextCursor;
    this.#show(filter, page, { sessions: [...page.sessions, ...known], cursor: rest });
  }

  async #more(filter: string, cursor: string): Promise<void> {
    const page = await this.#page(filter, { cursor, limit: this.#toEnd ? LARGEST_PAGE : PAGE });
    const { sessions = [] } = this.#state;
    this.#show(filter, page, { sessions: [...sessions, ...without(page.sessions, sessions)], cursor: page.nextCursor });
  }

  #page(filter: string, where: { cursor?: string; limit: number }): Promise<Page> {
    const query = filter.trim() === "" ? {} : { query: filter };
    return this.#host.server.call("session/list", { ...query, ...where });
  }

  /** The marked session stays marked, wherever it is now. */
  #show(foundBy: string, { total, problems }: Page, list: Pick<HistoryState, "sessions" | "cursor">): void {
    const before = selectedSession(this.#state);
    this.#change({ ...list, foundBy, total, problem: problems?.join(" ") });
    const shown = shownSessions(this.#state);
    const at = this.#toEnd ? shown.length - 1 : shown.findIndex(({ sessionId }) => sessionId === before?.sessionId);
    if (at >= 0) this.#change({ selected: at });
    this.#changed();
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

function without(sessions: readonly SessionSummary[], others: readonly SessionSummary[]): SessionSummary[] {
  const ids = new Set(others.map(({ sessionId }) => sessionId));
  return sessions.filter(({ sessionId }) => !ids.has(sessionId));
}

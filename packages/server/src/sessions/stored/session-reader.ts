import { type FactPage, type FactPages, lastFactOf, type SessionHeader, type SessionStore } from "@harness/core";
import type { SessionUpdate } from "@harness/protocol";
import type { LiveSessions } from "../live-sessions.ts";
import { orThrow } from "../store-errors.ts";

type SessionReaderDeps = {
  store: SessionStore;
  sessions: LiveSessions;
  /** Resolves an id, a unique prefix of one, or a title to the id. Throws a `ProtocolError`. */
  find(wanted: string): Promise<string>;
};

type UpdatePage = { events: SessionUpdate[]; more: boolean };

/** Reads sessions without opening them: the current state of live ones, and stored ones. */
export class SessionReader {
  readonly #deps: SessionReaderDeps;

  constructor(deps: SessionReaderDeps) {
    this.#deps = deps;
  }

  /** A page of facts, oldest first. */
  async history(params: {
    sessionId: string;
    after?: number | undefined;
    before?: number | undefined;
    limit: number;
  }): Promise<UpdatePage> {
    const { store, sessions } = this.#deps;
    const sessionId = await this.#deps.find(params.sessionId);
    const { after, before, limit } = params;
    // Its first page brings a live session up to date with its files; the pages after it continue from there.
    const isFirst = before === undefined && (after ?? 0) === 0;
    const live = isFirst ? sessions.upToDate(sessionId) : sessions.get(sessionId);
    const pages = live?.log ?? orThrow(store.load(sessionId));
    const range = { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }), limit };
    return asUpdates(sessionId, pages.read(range));
  }

  /** The last facts, at a cost that does not grow with the session; none if only a full read can tell. */
  async tail({ sessionId: wanted, limit }: { sessionId: string; limit: number }): Promise<UpdatePage> {
    const { store, sessions, find } = this.#deps;
    const sessionId = await find(wanted);
    const live = sessions.get(sessionId);
    const page = live ? live.log.read({ before: Number.POSITIVE_INFINITY, limit }) : store.tail(sessionId, limit);
    return asUpdates(sessionId, page);
  }

  /** A session as a whole, page by page. */
  async pages(wanted: string): Promise<{
    header: SessionHeader;
    title: string | undefined;
    pages: FactPages;
    savedTexts: readonly string[];
  }> {
    const { store, sessions, find } = this.#deps;
    const sessionId = await find(wanted);
    const log = sessions.upToDate(sessionId)?.log;
    if (log) return { header: log.header, title: log.digest.title, pages: log, savedTexts: log.savedTexts };
    const loaded = orThrow(store.load(sessionId));
    const named = lastFactOf(loaded, "session_info_update")?.update;
    const title = named?.sessionUpdate === "session_info_update" ? named.title : undefined;
    return { header: loaded.header, title, pages: loaded, savedTexts: loaded.savedTexts ?? [] };
  }
}

function asUpdates(sessionId: string, { facts, more }: FactPage): UpdatePage {
  return { events: facts.map((fact) => ({ sessionId, ...fact })), more };
}

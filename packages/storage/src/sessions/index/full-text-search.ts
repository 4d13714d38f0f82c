import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { SearchReport, SessionSearch } from "@harness/core";
import { readHits } from "./hit-texts.ts";
import { IndexFile } from "./index-file.ts";
import { IndexLoader, type ReadSession, type StaleSession, unreadableText } from "./index-loader.ts";
import { LogSearch } from "./log-search.ts";
import { type SearchTerm, termsOf } from "./search-words.ts";
import { isSearched, placeOfKey, type SearchedSession, searchedSessions, searchProblems } from "./searched-sessions.ts";
import type { IndexedSessions } from "./session-index.ts";
import type { IndexedSession, IndexHit } from "./text-index.ts";

const SLICE_MS = 8;
/** How long a search reads logs that the index lacks before it answers with what it has. */
const INDEX_BUDGET_MS = 600;
/** The same without an index. */
const LOG_BUDGET_MS = 10_000;
/** More hits than wanted are fetched, because outdated ones are dropped. */
const SPARE_HITS = 20;

/** For tests: how long a search reads, and how many pages the index may have, to imitate a full disk. */
export type SearchLimits = { indexMs?: number; logMs?: number; maxPages?: number };

type SearchDeps = {
  root: string;
  /** The current sessions. */
  sessions(): Promise<IndexedSessions>;
  read: ReadSession;
  /** Changes with every change of a session, including its subagents' logs. */
  stampOf(sessionId: string): string;
  /** False if the user may edit what is stored. */
  isAppendOnly(sessionId: string): boolean;
  limits: SearchLimits | undefined;
};

/** A search in progress. */
type Search = { terms: readonly SearchTerm[]; wanted: readonly SearchedSession[]; inLogs: LogSearch } & Pick<
  SessionSearch,
  "since" | "limit"
>;

/** The outcome of reading the sessions that the index lacks. `read`: those that were searched in their logs. */
type Reading = { pending: number; notReached: number; unreadable: Map<string, string>; read: Set<string> };

/**
 * Full-text search across all sessions. The folder is the truth and the index makes searches fast; what the index lacks
 * is read from the logs.
 */
export class FullTextSearch {
  readonly #deps: SearchDeps;
  readonly #file: IndexFile;
  #searches = 0;

  constructor(deps: SearchDeps) {
    this.#deps = deps;
    this.#file = new IndexFile(join(deps.root, ".search.db"), deps.limits?.maxPages);
  }

  async search(search: SessionSearch): Promise<SearchReport> {
    this.#searches += 1;
    try {
      const { discarded } = this.#file;
      const found = await this.#search(search);
      // The new index has only what was read since.
      return this.#file.discarded === discarded ? found : await this.#search(search);
    } finally {
      this.#searches -= 1;
    }
  }

  /** Indexes changes until the signal aborts or a search begins. */
  async refresh(signal: AbortSignal): Promise<void> {
    const all = await this.#deps.sessions();
    const sessions = await searchedSessions(all, this.#deps.stampOf);
    const stale = this.#stale(sessions);
    if (!stale) return;
    const loader = this.#loader(() => signal.aborted || this.#searches > 0);
    await loader.drop(this.#gone(sessions, all.lookedInto ?? []));
    // Oldest first, so that row numbers in the index rise with time.
    await loader.write(stale.toReversed());
  }

  /** Sessions that no longer exist. Other stores may have other folders besides this one. */
  #gone(sessions: readonly SearchedSession[], lookedInto: readonly string[]): string[] {
    const there = new Set(sessions.map(({ key }) => key));
    const known = this.#file.use((index) => [...index.known().keys()]);
    if (typeof known === "string") return [];
    return known.value.filter((key) => {
      const place = placeOfKey(key);
      if (there.has(key)) return false;
      return place === undefined || lookedInto.includes(place) || !existsSync(place);
    });
  }

  async #search({ limit, since, hide = (text) => text, ...search }: SessionSearch): Promise<SearchReport> {
    const terms = termsOf(search.query);
    if (terms.length === 0) return { hits: [], count: 0, pending: 0 };
    const all = await this.#deps.sessions();
    const filter = { limit, ...search, ...(since === undefined ? {} : { since }) };
    const wanted = (await searchedSessions(all, this.#deps.stampOf)).filter((each) => isSearched(each, filter));
    const inLogs = new LogSearch(terms, since === undefined ? undefined : Date.parse(since));
    const running: Search = { terms, wanted, inLogs, limit, ...(since === undefined ? {} : { since }) };
    const reading = await this.#readMissing(running);
    const found = this.#find(running, reading);
    const digests = new Map(wanted.map(({ digest }) => [digest.sessionId, digest]));
    const passages = await readHits(found.hits, { terms, digests, read: this.#deps.read, hide });
    const { hits, outdated } = passages;
    const keys = new Map(wanted.map(({ digest, key }) => [digest.sessionId, key]));
    await this.#loader(() => false).drop(outdated.flatMap((sessionId) => keys.get(sessionId) ?? []));
    for (const [sessionId, problem] of passages.unreadable) reading.unreadable.set(sessionId, problem);
    const problems = searchProblems(all, reading);
    return {
      hits: hits.slice(0, limit),
      count: Math.max(hits.length, found.count - passages.dropped),
      pending: reading.pending,
      ...(problems.length > 0 ? { problems } : {}),
    };
  }

  /** Updates the index as far as time allows; without an index, the logs are searched. */
  async #readMissing({ wanted, inLogs }: Search): Promise<Reading> {
    const { indexMs = INDEX_BUDGET_MS, logMs = LOG_BUDGET_MS } = this.#deps.limits ?? {};
    const unreadable = new Map<string, string>();
    const none = { pending: 0, notReached: 0, unreadable, read: new Set<string>() };
    const stale = this.#stale(wanted);
    if (stale?.length === 0) return none;
    const written = stale && (await this.#loader(timer(indexMs)).write(stale));
    for (const [sessionId, problem] of written?.unreadable ?? []) unreadable.set(sessionId, problem);
    const left = (this.#stale(wanted) ?? asStale(wanted)).filter(({ sessionId }) => !unreadable.has(sessionId));
    if (left.length === 0) return none;
    if (written && written.state === "ready") return { ...none, pending: left.length };
    return { ...none, ...(await this.#readLogs(left, inLogs, { unreadable, isOver: timer(logMs) })) };
  }

  async #readLogs(
    sessions: readonly StaleSession[],
    inLogs: LogSearch,
    { unreadable, isOver }: { unreadable: Map<string, string>; isOver(): boolean },
  ): Promise<{ notReached: number; read: Set<string> }> {
    const read = new Set<string>();
    let sliceEnd = performance.now() + SLICE_MS;
    for (const [at, { sessionId }] of sessions.entries()) {
      if (isOver()) return { notReached: sessions.length - at, read };
      read.add(sessionId);
      const reading = this.#deps.read(sessionId);
      if ("problem" in reading) unreadable.set(sessionId, reading.problem);
      else
        try {
          for (const _fact of inLogs.read(sessionId, reading)) {
            if (performance.now() < sliceEnd) continue;
            await setImmediate();
            sliceEnd = performance.now() + SLICE_MS;
          }
        } catch (error) {
          unreadable.set(sessionId, unreadableText(sessionId, error));
        }
    }
    return { notReached: 0, read };
  }

  /** Hits with all words; if there are none, hits with any of them. */
  #find(search: Search, { read }: Reading): { hits: IndexHit[]; count: number } {
    const all = this.#findOf(search, read, true);
    return all.count > 0 || search.terms.length === 1 ? all : this.#findOf(search, read, false);
  }

  #findOf({ terms, wanted, inLogs, limit: asked, since }: Search, read: ReadonlySet<string>, isAll: boolean) {
    const limit = asked + SPARE_HITS;
    const logged = inLogs.found({ isAll, limit });
    const unread = wanted.filter(({ digest }) => !read.has(digest.sessionId));
    const ids = new Map(unread.map(({ key, digest }) => [key, digest.sessionId]));
    const answer = this.#file.use((index) => {
      const isFiltered = [...index.known().keys()].some((key) => !ids.has(key));
      const sessions = isFiltered ? { sessions: [...ids.keys()] } : {};
      const from = since === undefined ? {} : { sinceMs: Date.parse(since) };
      return index.find({ terms, isAll, limit, ...sessions, ...from });
    });
    if (typeof answer === "string") return logged;
    const { hits, count } = answer.value;
    const named = hits.flatMap((hit) => ({ ...hit, sessionId: ids.get(hit.sessionId) ?? hit.sessionId }));
    const merged = [...named, ...logged.hits].sort((a, b) => b.score - a.score);
    return { hits: merged.slice(0, limit), count: count + logged.count };
  }

  /** The sessions that the index lacks or has only in part; undefined if there is no index. */
  #stale(sessions: readonly SearchedSession[]): StaleSession[] | undefined {
    const answer = this.#file.use((index) => index.known());
    if (answer === "none") return undefined;
    const known: ReadonlyMap<string, IndexedSession> = answer === "busy" ? new Map() : answer.value;
    return asStale(sessions)
      .map((each) => ({ ...each, known: known.get(each.key) }))
      .filter((each) => each.known?.stamp !== each.stamp);
  }

  #loader(isOver: () => boolean): IndexLoader {
    const { read, isAppendOnly } = this.#deps;
    return new IndexLoader({ file: this.#file, read, isAppendOnly, isOver });
  }
}

function asStale(sessions: readonly SearchedSession[]): StaleSession[] {
  return sessions.flatMap(({ digest: { sessionId }, key, stamp }) =>
    stamp === undefined ? [] : [{ sessionId, key, stamp, known: undefined }],
  );
}

function timer(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}

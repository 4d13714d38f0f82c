import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { CommitHistory } from "../../history/commit-history.ts";
import { commitLogPath, readCommitLog } from "../../history/commit-log.ts";
import { scanFiles } from "../../indexing/file-scan.ts";
import { rankedMap } from "../../map/ranked-map.ts";
import { findIndexStore, type IndexLocation, type IndexStoreLocation, type SearchStore } from "../../store/stores.ts";
import { searchCode } from "../search-code.ts";
import { symbolLine } from "../symbol-line.ts";
import type { IndexSummary, QueryCall } from "./messages.ts";

/** `stamp`: of the file, or of the address. */
type OpenIndex = { store: SearchStore; stamp: string };
/** `stamp`: of the file from which it was read. */
type OpenHistory = { history: CommitHistory; stamp: string };

/** The indexes that were asked about, opened for reading. */
export class IndexReaders {
  readonly #open = new Map<string, OpenIndex>();
  readonly #histories = new Map<string, OpenHistory>();

  /** Rejects with the store's errors. */
  async answer({ name, ask }: QueryCall): Promise<unknown> {
    const store = await this.#storeOf(ask);
    if (!store) return undefined;
    if (name === "summary") return summaryOf(store, ask);
    if (name === "search") {
      const isSearched = ask.vector && (await store.adopted())?.key === ask.vector.key;
      const vector = isSearched ? ask.vector?.vector : undefined;
      return searchCode({ index: store, history: this.#historyOf(ask.database), vector }, ask.query);
    }
    if (name === "map") {
      const definitions = store.definitions?.();
      return definitions && rankedMap({ definitions, history: this.#historyOf(ask.database) }, ask.limit);
    }
    if (name === "changes") {
      const { changed, removed } = scanFiles(ask.folder, ask.paths, await store.files());
      return { changed: changed.map(({ path }) => path), removed };
    }
    const hits = await store.searchSymbols(ask.name, ask);
    const chunks = await store.chunks(hits.map(({ chunk }) => chunk));
    const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    return hits.flatMap(({ name: symbol, chunk }) => {
      const found = byId.get(chunk);
      return found ? [{ name: symbol, path: found.path, line: symbolLine(found, symbol), kind: found.kind }] : [];
    });
  }

  /** Reads the commits once, and again if they were written since. */
  #historyOf(database: string): CommitHistory | undefined {
    const path = commitLogPath(database);
    const stats = statSync(path, { throwIfNoEntry: false });
    const stamp = stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    const known = this.#histories.get(database);
    if (known?.stamp === stamp) return known?.history;
    const log = stamp === undefined ? undefined : readCommitLog(path);
    if (!log || stamp === undefined) this.#histories.delete(database);
    else this.#histories.set(database, { history: new CommitHistory(log.commits), stamp });
    return this.#histories.get(database)?.history;
  }

  /** Opens an index once, and again if its file was replaced, or it is somewhere else now. */
  async #storeOf(target: IndexStoreLocation): Promise<SearchStore | undefined> {
    const { database } = target;
    const stamp = stampOf(target);
    const known = this.#open.get(database);
    if (known && known.stamp === stamp) return known.store;
    this.#open.delete(database);
    await known?.store.close();
    const store = stamp === undefined ? undefined : await findIndexStore(target, clock);
    if (store && stamp !== undefined) this.#open.set(database, { store, stamp });
    return store;
  }
}

const clock = {
  now: Date.now,
  monotonicMs: () => performance.now(),
  sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
};

function stampOf({ database, remote }: IndexStoreLocation): string | undefined {
  if (remote) return JSON.stringify(remote);
  const ino = statSync(database, { throwIfNoEntry: false })?.ino;
  return ino === undefined ? undefined : String(ino);
}

async function summaryOf(store: SearchStore, { database, remote }: IndexLocation): Promise<IndexSummary> {
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const sizeBytes = remote ? 0 : size(database) + size(`${database}-wal`);
  return { ...(await store.counts()), sizeBytes, embedder: await store.adopted() };
}

import { statSync } from "node:fs";
import { CommitHistory } from "../../history/commit-history.ts";
import { commitLogPath, readCommitLog } from "../../history/commit-log.ts";
import { scanFiles } from "../../indexing/file-scan.ts";
import { rankedMap } from "../../map/ranked-map.ts";
import { EmbeddedStore } from "../../store/embedded/embedded-store.ts";
import { searchCode } from "../search-code.ts";
import { symbolLine } from "../symbol-line.ts";
import type { IndexLocation, IndexSummary, QueryCall } from "./messages.ts";

type OpenIndex = { store: EmbeddedStore; ino: number };
/** `stamp`: of the file from which it was read. */
type OpenHistory = { history: CommitHistory; stamp: string };

/** The indexes that were asked about, opened for reading. */
export class IndexReaders {
  readonly #open = new Map<string, OpenIndex>();
  readonly #histories = new Map<string, OpenHistory>();

  /** Rejects with the store's errors. */
  async answer({ name, ask }: QueryCall): Promise<unknown> {
    const store = await this.#storeOf(ask.database);
    if (!store) return undefined;
    if (name === "summary") return summaryOf(store, ask);
    if (name === "search") {
      const isSearched = ask.vector && (await store.adopted())?.key === ask.vector.key;
      const vector = isSearched ? ask.vector?.vector : undefined;
      return searchCode({ index: store, history: this.#historyOf(ask.database), vector }, ask.query);
    }
    if (name === "map") {
      const sources = { definitions: store.definitions(), history: this.#historyOf(ask.database) };
      return rankedMap(sources, ask.limit);
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

  /** Opens an index once, and again if its file was replaced. */
  async #storeOf(database: string): Promise<EmbeddedStore | undefined> {
    const ino = statSync(database, { throwIfNoEntry: false })?.ino;
    const known = this.#open.get(database);
    if (known && known.ino === ino) return known.store;
    this.#open.delete(database);
    await known?.store.close();
    const store = ino === undefined ? undefined : EmbeddedStore.find(database);
    if (store && ino !== undefined) this.#open.set(database, { store, ino });
    return store;
  }
}

async function summaryOf(store: EmbeddedStore, { database }: IndexLocation): Promise<IndexSummary> {
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const sizeBytes = size(database) + size(`${database}-wal`);
  return { ...(await store.counts()), sizeBytes, embedder: await store.adopted() };
}

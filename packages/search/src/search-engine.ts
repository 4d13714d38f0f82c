import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Environment } from "@harness/host";
import { FolderIndex, type FolderIndexOptions } from "./folder-index.ts";
import { IndexProcess } from "./indexing/index-process.ts";
import { QueryProcess } from "./query/query-process.ts";

/** The processes that search and index, shared by all folders. Both start when they are needed. */
export class CodeSearchEngine {
  readonly #folder: string;
  readonly #indexing: IndexProcess;
  readonly #queries: QueryProcess;

  /** `folder`: where indexes are, which anyone may delete. */
  constructor(folder: string, env: Environment) {
    this.#folder = folder;
    this.#indexing = new IndexProcess(env);
    this.#queries = new QueryProcess(env);
  }

  /** `folder`: a real path. Reads nothing. */
  index(folder: string, options: FolderIndexOptions): FolderIndex {
    const database = join(this.#folder, `${createHash("sha256").update(folder).digest("hex").slice(0, 24)}.db`);
    return new FolderIndex({ folder, database }, options, { indexing: this.#indexing, queries: this.#queries });
  }

  get isPaused(): boolean {
    return this.#indexing.isPaused;
  }

  /** Holds or continues all indexing. */
  pause(isPaused: boolean): void {
    this.#indexing.pause(isPaused);
  }

  close(): void {
    this.#indexing.close();
    this.#queries.close();
  }
}

import { existsSync, mkdirSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { dirname } from "node:path";
import type { Egress } from "@harness/core";
import { countFiles } from "./store/embedded/database-file.ts";
import { EMBEDDED, remoteStoreRow } from "./store/remote-stores.ts";
import { StoreError } from "./store/store-error.ts";
import { StoreMark } from "./store/store-mark.ts";
import type { IndexLocation } from "./store/stores.ts";

/** The store that the settings name, and the way to it. */
export interface StoreSource {
  /** `index_store`. */
  readonly address: string;
  readonly egress: Egress;
  /** A variable of the user's environment. */
  variable(name: string): string | undefined;
}

export type StoreDescription = { title: string; host: string };

/** Where the index of one folder is kept, and whether that may be reached. */
export class StoreAccess {
  readonly #place: { folder: string; database: string };
  readonly #source: StoreSource;
  readonly #mark: StoreMark;
  #lastAddress: string | undefined;

  constructor(place: { folder: string; database: string }, source: StoreSource) {
    this.#place = place;
    this.#source = source;
    this.#mark = new StoreMark(place.database);
  }

  get exists(): boolean {
    const { address } = this.#source;
    return this.#isElsewhere ? this.#mark.read(address) !== undefined : existsSync(this.#place.database);
  }

  /** How many files the index has; 0 if there is none. Blocks for some milliseconds. */
  get fileCount(): number {
    if (this.#isElsewhere) return this.#mark.read(this.#source.address)?.files ?? 0;
    return this.exists ? countFiles(this.#place.database) : 0;
  }

  /** True once after the setting has changed: what was known of the index holds for the earlier store. */
  get hasMoved(): boolean {
    const { address } = this.#source;
    const hasMoved = this.#lastAddress !== undefined && this.#lastAddress !== address;
    this.#lastAddress = address;
    return hasMoved;
  }

  /** The index for the processes that write and search it. Rejects with a `StoreError` if it must not be reached. */
  async location(): Promise<IndexLocation> {
    if (!this.#isElsewhere) return this.#place;
    const { address, egress, variable } = this.#source;
    const row = remoteStoreRow(address);
    const barrier = await egress.barrier(address);
    if (barrier !== undefined) throw new StoreError(barrier);
    const decision = egress.leave({ purpose: "index", method: "POST", url: address });
    if ("refused" in decision) throw new StoreError(decision.refused);
    const secret = variable(row.variable)?.trim() || undefined;
    return {
      ...this.#place,
      remote: { address, name: indexName(this.#place.folder), secret, localOnly: egress.localOnly },
    };
  }

  /** Looks whether work at a location may go on: the settings can name another store meanwhile, or forbid this one. */
  watch(location: IndexLocation): StoreWatch {
    return new StoreWatch(location, () => this.location());
  }

  /** Of the store elsewhere; undefined: it is on this machine, or the address is not valid. */
  get description(): StoreDescription | undefined {
    const { address } = this.#source;
    if (!this.#isElsewhere) return undefined;
    try {
      return { title: remoteStoreRow(address).title, host: new URL(address).host };
    } catch {
      return undefined;
    }
  }

  /** Notes that there is an index. */
  note(files: number): void {
    if (!this.#isElsewhere) return;
    mkdirSync(dirname(this.#place.database), { recursive: true, mode: 0o700 });
    this.#mark.write({ address: this.#source.address, files });
  }

  /** Notes that there is none. */
  forget(): void {
    if (this.#isElsewhere) this.#mark.remove();
  }

  get #isElsewhere(): boolean {
    return this.#source.address !== EMBEDDED;
  }
}

/** Aborts `signal` with the first `check` that finds the store changed or forbidden. */
class StoreWatch {
  problem: string | undefined;
  readonly #cancel = new AbortController();
  readonly #address: string | undefined;
  readonly #locate: () => Promise<IndexLocation>;

  constructor({ remote }: IndexLocation, locate: () => Promise<IndexLocation>) {
    this.#address = remote?.address;
    this.#locate = locate;
  }

  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  /** Never rejects. */
  async check(): Promise<void> {
    try {
      const { remote } = await this.#locate();
      if (remote?.address === this.#address) return;
      this.problem = "The setting `index_store` was changed meanwhile: run `harness index` again.";
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    this.#cancel.abort();
  }
}

/** Each folder of each machine and user has its own: the same folder elsewhere has other edits, on another branch. */
function indexName(folder: string): string {
  return `${userName()}@${hostname()}:${folder}`;
}

/** In a container the user may have a number alone. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "user");
  }
}

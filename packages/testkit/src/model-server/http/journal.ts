/** One request, as it arrived and as it was answered. Times are `performance.now()` of the server's process. */
export interface RequestRecord {
  /** Counted from 1. */
  readonly number: number;
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  /** Credentials are cut to their last four characters. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed if it is JSON, otherwise the text; undefined if there was none, or it was forgotten. */
  body: unknown;
  readonly bodyBytes: number;
  readonly receivedAtMs: number;
  /** A chat endpoint, in any format. */
  chat: boolean;
  lane?: string;
  turnIndex?: number;
  /** The number of this attempt at the turn. */
  attempt?: number;
  /** The kind of the fault that was applied. */
  fault?: string;
  status?: number;
  firstByteAtMs?: number;
  lastByteAtMs?: number;
  /** Bytes of the response body. */
  sentBytes: number;
  /** `waiting`: for a slot. */
  state: "open" | "waiting" | "hanging" | "done";
  /** The slot that answered it. */
  slot?: number;
  /** How many chat requests were being answered when this one's turn came, including itself. */
  inFlight?: number;
  /** The client left before the answer was complete. */
  aborted: boolean;
  /** The mistake in the request or in the scenario. */
  problem?: string;
}

interface Waiter {
  /** True if it has what it waited for. */
  settle(): boolean;
  fail(error: Error): void;
}

/** All requests of a server, and the callers that wait for one. */
export class RequestJournal {
  readonly records: RequestRecord[] = [];
  readonly #handedOut = new Set<RequestRecord>();
  #waiters: Waiter[] = [];
  #closed = false;

  add(record: RequestRecord): void {
    this.records.push(record);
    this.changed();
  }

  /** Must be called after a change of a record, so that waiting callers see it. */
  changed(): void {
    this.#waiters = this.#waiters.filter((waiter) => !waiter.settle());
  }

  /** The first request that no call of this method has returned yet and that the predicate accepts. */
  next(accepts: (record: RequestRecord) => boolean): Promise<RequestRecord> {
    return this.#until("a request", () => {
      const found = this.records.find((record) => !this.#handedOut.has(record) && accepts(record));
      if (found !== undefined) this.#handedOut.add(found);
      return found;
    });
  }

  hanging(): Promise<RequestRecord> {
    return this.#until("a hanging request", () => this.records.find((record) => record.state === "hanging"));
  }

  /** The requests that wait for a slot, as soon as there are this many. */
  waiting(count: number): Promise<readonly RequestRecord[]> {
    return this.#until(`${count} waiting requests`, () => {
      const found = this.records.filter((record) => record.state === "waiting");
      return found.length >= count ? found : undefined;
    });
  }

  async idle(): Promise<void> {
    await this.#until(
      "the end of all requests",
      () => this.records.every((record) => record.state === "done") || undefined,
    );
  }

  close(): void {
    this.#closed = true;
    this.changed();
    for (const waiter of this.#waiters) waiter.fail(new Error("The model server was closed meanwhile."));
    this.#waiters = [];
  }

  #until<Value>(what: string, probe: () => Value | undefined): Promise<Value> {
    const found = probe();
    if (found !== undefined) return Promise.resolve(found);
    if (this.#closed) return Promise.reject(new Error(`The model server is closed: ${what} will not come.`));
    return new Promise((resolve, reject) => {
      const settle = () => {
        const value = probe();
        if (value !== undefined) resolve(value);
        return value !== undefined;
      };
      this.#waiters.push({ settle, fail: reject });
    });
  }
}

const secretHeaders = new Set(["authorization", "x-api-key", "api-key", "cookie"]);

export function redactedHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : (value ?? "");
    return [name, secretHeaders.has(name) ? redacted(text) : text];
  });
  return Object.fromEntries(entries);
}

/** Keeps the scheme and the last four characters; a secret too short for that is hidden completely. */
function redacted(text: string): string {
  const [, scheme = "", secret = ""] = /^(\S+\s+)?(.*)$/.exec(text) ?? [];
  return `${scheme}…${secret.length > 8 ? secret.slice(-4) : ""}`;
}

import type { KnownEra } from "../connection/open-connection.ts";
import type { McpStore } from "../ports/pool-ports.ts";

/** An updated server of the legacy era still answers as before, so it is asked again after this time. */
const LEGACY_MS = 7 * 24 * 60 * 60_000;
/** For a modern server's own description, as JSON. */
const MAX_DISCOVERY = 32_000;

/** The eras of servers, so that only the first start has to find out. */
export class EraCache {
  readonly #store: McpStore;
  readonly #now: () => number;

  constructor(store: McpStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  read(key: string): KnownEra | undefined {
    const stored = this.#store.read(`era ${key}`) as { kind?: unknown; discover?: unknown; at?: unknown } | undefined;
    if (stored?.kind === "modern" && typeof stored.discover === "object" && stored.discover !== null) {
      // The SDK validates it.
      return { kind: "modern", discover: stored.discover } as KnownEra;
    }
    const isFresh = typeof stored?.at === "number" && this.#now() - stored.at < LEGACY_MS;
    return stored?.kind === "legacy" && isFresh ? { kind: "legacy" } : undefined;
  }

  /**
   * Does not rewrite known data: a legacy verdict keeps its date. If the server (`identity`: its name and version) has
   * changed since, the verdict is forgotten, so that the next start asks again.
   */
  remember(key: string, era: KnownEra, identity: string): void {
    if (era.kind === "legacy") {
      if (this.read(key)?.kind !== "legacy") {
        this.#store.write(`era ${key}`, { kind: "legacy", at: this.#now(), identity });
      } else if ((this.#store.read(`era ${key}`) as { identity?: unknown }).identity !== identity) this.forget(key);
      return;
    }
    const text = JSON.stringify(era);
    const isSame = text === JSON.stringify(this.read(key));
    if (!isSame && text.length <= MAX_DISCOVERY) this.#store.write(`era ${key}`, JSON.parse(text));
  }

  forget(key: string): void {
    this.#store.write(`era ${key}`, undefined);
  }
}

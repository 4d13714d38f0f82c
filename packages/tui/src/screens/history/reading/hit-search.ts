import { errorText } from "@harness/client";
import { formatCount } from "../../../widgets/list-slice.ts";
import type { ScreenHost } from "../../screen.ts";
import { askedOf, type HistoryState, historySlice } from "../state.ts";
import { isFullText, keyOfAsked, searchParams } from "../stored/asked-sessions.ts";

/** While words are typed, a search begins only after a pause this long. */
const PAUSE_MS = 60;
const MAX_HITS = 150;

type Host = Pick<ScreenHost, "store" | "server" | "clock">;

/**
 * Searches the messages of the sessions while the words are typed. A question that is no longer asked is cancelled, and
 * its answer dropped. The server may answer with what it has, and is asked until it has searched all sessions.
 */
export class HitSearch {
  readonly #host: Host;
  readonly #shown: (change: () => void) => void;
  #stopWaiting: (() => void) | undefined;
  #running: { readonly key: string; readonly abort: AbortController } | undefined;

  /** `shown`: makes a change of the list, and keeps the selection on its entry. */
  constructor(host: Host, shown: (change: () => void) => void) {
    this.#host = host;
    this.#shown = shown;
  }

  /** The question may have changed. */
  follow(): void {
    const { asked, key } = this.#now;
    if (this.#running?.key === key) return;
    this.stop();
    if (!isFullText(asked) || this.#state.passages?.of === key) return;
    this.#stopWaiting = this.#host.clock.after(PAUSE_MS, () => void this.#search(key));
  }

  /** Sessions have changed: what was found may be out of date. */
  again(): void {
    this.stop();
    void this.#search(this.#now.key);
  }

  stop(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    this.#running?.abort.abort();
    this.#running = undefined;
  }

  get #state(): HistoryState {
    return historySlice.of(this.#host.store.get());
  }

  get #now() {
    const asked = askedOf(this.#state);
    return { asked, key: keyOfAsked(asked) };
  }

  async #search(key: string): Promise<void> {
    const { server, clock } = this.#host;
    const { asked } = this.#now;
    if (!isFullText(asked)) return;
    const running = { key, abort: new AbortController() };
    this.#running = running;
    const isStale = (): boolean => this.#running !== running;
    try {
      for (let before = Number.POSITIVE_INFINITY; ; ) {
        const params = { ...searchParams(asked, clock.wallNow()), limit: MAX_HITS };
        const { hits, count, pending, problems } = await server.call("session/search", params, {
          signal: running.abort.signal,
        });
        if (isStale()) return;
        // It gets no further: the rest is searched another time.
        const isStuck = pending > 0 && pending >= before;
        const problem = isStuck ? `${formatCount(pending, "session")} could not be searched yet.` : problems?.join(" ");
        const passages = { of: key, hits, count, pending: isStuck ? 0 : pending, problem };
        this.#shown(() => historySlice.change(this.#host.store, { passages }));
        if (passages.pending === 0) break;
        before = pending;
      }
    } catch (error) {
      if (isStale()) return;
      const problem = `The search failed: ${errorText(error)}`;
      historySlice.change(this.#host.store, { passages: { of: key, hits: [], count: 0, pending: 0, problem } });
    }
    if (!isStale()) this.#running = undefined;
  }
}

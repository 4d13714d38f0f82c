import { isLost } from "@harness/client";
import type { WindowHost } from "../client/window-host.ts";
import { remember } from "../state/composer.ts";
import { withPool } from "../state/prompt-search.ts";

/** Longer text stays in its session only; the server does not store it. */
const MAX_KEPT = 60_000;
/** The number of messages from earlier windows in this folder that Up can reach. */
const MAX_HERE = 200;
/** The number of messages that a search covers. */
const MAX_ANYWHERE = 2_000;

/** The user's messages, which the server keeps for all windows. */
export class InputHistory {
  readonly #host: WindowHost;

  /** Resolves when messages from earlier windows have been loaded; undefined: not loading. */
  loading: Promise<void> | undefined;

  constructor(host: WindowHost) {
    this.#host = host;
  }

  /** Puts messages typed in this folder before those sent in this window. */
  load(): Promise<void> {
    this.loading ??= this.#load().finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  async #load(): Promise<void> {
    const { store } = this.#host;
    const here = await this.#list({ cwd: store.get().cwd, limit: MAX_HERE });
    const { composer } = store.get();
    // Someone who is already browsing the history continues in the same list.
    if (here.length === 0 || composer.browsing) return;
    store.set({
      composer: { ...composer, sent: [...here.map(({ text }) => text), ...composer.sent].reduce(remember, []) },
    });
  }

  async add(text: string): Promise<void> {
    const { server, store } = this.#host;
    if (text.trim() === "" || text.length > MAX_KEPT) return;
    for (;;) {
      try {
        await server.call("prompts/add", { cwd: store.get().cwd, text });
        return;
      } catch (error) {
        // A message matters more than its history: if it cannot be stored here, it is still in its session.
        if (!isLost(error)) return;
      }
    }
  }

  /** Adds messages from other folders and windows to the open search. */
  async widen(): Promise<void> {
    const { store } = this.#host;
    const anywhere = await this.#list({ limit: MAX_ANYWHERE });
    const { composer, cwd } = store.get();
    if (!composer.search || anywhere.length === 0) return;
    const others = anywhere
      .map((each) => ({ text: each.text, cwd: each.cwd === cwd ? undefined : each.cwd }))
      .reverse();
    const own = new Set(composer.sent);
    const here = composer.sent.toReversed().map((text) => ({ text }));
    const pool = [...here, ...others.filter(({ text }) => !own.has(text))];
    store.set({ composer: { ...composer, search: withPool(composer.search, pool) } });
  }

  async #list(query: { cwd?: string; limit: number }): Promise<readonly { cwd: string; text: string }[]> {
    try {
      return (await this.#host.server.call("prompts/list", query)).prompts;
    } catch {
      // Without it, the messages sent in this window remain.
      return [];
    }
  }
}

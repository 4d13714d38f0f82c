import { randomBytes } from "node:crypto";
import type { Clock } from "@harness/gate";
import type { Keyring } from "./system-keyring.ts";

/** A locked keyring prompts for a password; on an invisible display the prompt is never answered. */
const MAX_WAIT_MS = 60_000;
const MAX_PROBE_MS = 10_000;

export type KeyringProbe = { keyring: Keyring } | { reason: string };

/** Access to the system's keyring: loaded on first use, with a time limit for every call. */
export class KeyringAccess {
  readonly #load: () => Promise<Keyring>;
  readonly #clock: Pick<Clock, "sleep">;
  #loaded: Promise<Keyring> | undefined;
  #probed: Promise<KeyringProbe> | undefined;
  /** Set after the first timeout, so that no later call waits. */
  #silent: Error | undefined;

  constructor(load: () => Promise<Keyring>, clock: Pick<Clock, "sleep">) {
    this.#load = load;
    this.#clock = clock;
  }

  /** Tests once whether the keyring stores a secret: not every installed keyring works. */
  works(): Promise<KeyringProbe> {
    this.#probed ??= this.#probe();
    return this.#probed;
  }

  get(account: string): Promise<string | undefined> {
    return this.#ask((keyring, signal) => keyring.get(account, signal), MAX_WAIT_MS);
  }

  set(account: string, secret: string): Promise<void> {
    return this.#ask((keyring, signal) => keyring.set(account, secret, signal), MAX_WAIT_MS);
  }

  delete(account: string): Promise<void> {
    return this.#ask((keyring, signal) => keyring.delete(account, signal), MAX_WAIT_MS);
  }

  async #probe(): Promise<KeyringProbe> {
    const account = `probe-${randomBytes(6).toString("hex")}`;
    try {
      const keyring = await this.#open();
      const back = await this.#ask(async (_keyring, signal) => {
        await keyring.set(account, account, signal);
        const found = await keyring.get(account, signal);
        await keyring.delete(account, signal);
        return found;
      }, MAX_PROBE_MS);
      return back === account ? { keyring } : { reason: "it does not return what is saved in it" };
    } catch (error) {
      return { reason: reasonOf(error) };
    }
  }

  #open(): Promise<Keyring> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async #ask<T>(task: (keyring: Keyring, signal: AbortSignal) => Promise<T>, limitMs: number): Promise<T> {
    if (this.#silent) throw this.#silent;
    const abort = new AbortController();
    const done = new AbortController();
    const late = this.#clock.sleep(limitMs, done.signal).then(() => {
      if (done.signal.aborted) return new Promise<never>(() => undefined);
      const next = "and harness does not ask it again before its next start";
      this.#silent = new Error(`it did not answer within ${limitMs / 1000} s, ${next}`);
      abort.abort(this.#silent);
      throw this.#silent;
    });
    try {
      return await Promise.race([this.#open().then((keyring) => task(keyring, abort.signal)), late]);
    } finally {
      done.abort();
    }
  }
}

/** The first line of the system's message, short enough for a sentence. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && "code" in error && String(error.code).endsWith("MODULE_NOT_FOUND")) {
    return "its package is not installed for this system";
  }
  const words = error instanceof Error ? error.message : String(error);
  const line = words.split("\n")[0]?.trim().replace(/\.$/, "") ?? "";
  return line === "" ? "it gave no reason" : line.slice(0, 200);
}

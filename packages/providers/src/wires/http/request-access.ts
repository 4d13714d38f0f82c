import type { Endpoint } from "../endpoint/endpoint.ts";
import { HttpError } from "./exchange.ts";

/** The credentials of a request: a key, or the token of a login. */
export type Access = { key?: string; token?: string; account?: string };

/** The header that most servers accept for a key and for a token. */
export function bearer({ token, key }: Access): Record<string, string> {
  const secret = token ?? key;
  return secret === undefined ? {} : { authorization: `Bearer ${secret}` };
}

/**
 * The credentials of one request and their renewal. A login takes precedence over a key. A token that the server
 * refuses is renewed once, because clocks differ and tokens are revoked.
 */
export class RequestAccess {
  readonly #endpoint: Endpoint;
  readonly #signal: AbortSignal;
  #token: string | undefined;
  #isRenewed = false;

  constructor(endpoint: Endpoint, signal: AbortSignal) {
    this.#endpoint = endpoint;
    this.#signal = signal;
  }

  /** The secret that was used, which no message may repeat. */
  get secret(): string | undefined {
    return this.#token ?? this.#endpoint.key;
  }

  /** Rejects with a `LoginError`, or with the signal's reason. */
  async access(): Promise<Access> {
    const { login, key } = this.#endpoint;
    if (!login) return key === undefined ? {} : { key };
    const { token, account } = await this.#unlessAborted(login.token());
    this.#token = token;
    return { token, ...(account !== undefined && { account }) };
  }

  /** True if the request should be sent again after this failure. Rejects as `access` does. */
  async isRenewedAfter(cause: unknown): Promise<boolean> {
    const { login } = this.#endpoint;
    const isRefused = cause instanceof HttpError && cause.status === 401;
    if (!isRefused || !login || this.#token === undefined || this.#isRenewed) return false;
    this.#isRenewed = true;
    return this.#unlessAborted(login.renew(this.#token));
  }

  /** A renewal continues for other waiters while this request stops waiting. */
  #unlessAborted<T>(promise: Promise<T>): Promise<T> {
    const signal = this.#signal;
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      if (signal.aborted) onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      const done = () => signal.removeEventListener("abort", onAbort);
      promise.then(resolve, reject).finally(done);
    });
  }
}

import type { RequestOrigin, SentBody } from "@harness/core";

/** A request as sent, without its pictures. */
type SentRequest = RequestOrigin & Pick<SentBody, "address" | "body"> & { at: string };
export type LastRequests = { last: SentRequest; before: SentRequest | undefined };

/** The limit for all kept requests, in characters; a longer one is only kept in part. */
const MAX_CHARS = 16_000_000;
const MAX_ONE_CHARS = 6_000_000;
/** A JSON string that is a picture. */
const ENCODED = /(?<=[",])[A-Za-z0-9+/]{1000,}={0,2}(?=")/g;
/** A picture contains such a run at one of the positions this many characters apart. */
const HALF = 500;
const RUN = new RegExp(`[A-Za-z0-9+/]{${HALF}}`, "y");

/** The last two requests of each agent, in memory only, for the user who wants to see what was sent. */
export class SentRequests {
  readonly #now: () => number;
  /** By session and agent, most recent last. */
  readonly #kept = new Map<string, LastRequests>();
  readonly #maxChars: number;
  /** Of everything kept. Updated incrementally, because each request of each agent passes here. */
  #chars = 0;

  constructor(now: () => number, maxChars = MAX_CHARS) {
    this.#now = now;
    this.#maxChars = maxChars;
  }

  /** Keeps the body of a request; the body of a retry replaces the first one. */
  watch(sessionId: string, { agentId, provider, model }: RequestOrigin): (sent: SentBody) => void {
    const from = { agentId, provider, model };
    const key = keyOf(sessionId, agentId);
    const before = this.#kept.get(key)?.last;
    return ({ address, body }) => {
      const shown = withoutPictures(body).slice(0, MAX_ONE_CHARS);
      const last = { ...from, address, body: shown, at: new Date(this.#now()).toISOString() };
      this.#remove(key);
      this.#put(key, { last, before });
      this.#trim(key);
    };
  }

  of(sessionId: string, agentId: string): LastRequests | undefined {
    return this.#kept.get(keyOf(sessionId, agentId));
  }

  onClosed(sessionId: string): void {
    for (const key of this.#kept.keys()) if (key.startsWith(`${sessionId}/`)) this.#remove(key);
  }

  /** The oldest are dropped first; of the newest, the one before it. */
  #trim(newest: string): void {
    for (const [key, { last }] of this.#kept) {
      if (this.#chars <= this.#maxChars) return;
      this.#remove(key);
      if (key === newest) {
        this.#put(key, { last, before: undefined });
        return;
      }
    }
  }

  #put(key: string, kept: LastRequests): void {
    this.#kept.set(key, kept);
    this.#chars += charsOf(kept);
  }

  #remove(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#chars -= charsOf(kept);
  }
}

function keyOf(sessionId: string, agentId: string): string {
  return `${sessionId}/${agentId}`;
}

function charsOf({ last, before }: LastRequests): number {
  return last.body.length + (before?.body.length ?? 0);
}

function withoutPictures(body: string): string {
  if (!mayHavePictures(body)) return body;
  return body.replace(ENCODED, (data) => `(${Math.floor((data.length * 3) / 4).toLocaleString("en")} bytes)`);
}

/** Only samples the text, because a long session's request is examined with each step. */
function mayHavePictures(body: string): boolean {
  for (let at = 0; at < body.length; at += HALF) {
    RUN.lastIndex = at;
    if (RUN.test(body)) return true;
  }
  return false;
}

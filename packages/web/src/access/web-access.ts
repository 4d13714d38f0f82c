import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
/** A person has a few browsers; the one that was opened first is forgotten. */
const MAX_KEYS = 32;

/**
 * The secrets that open the page. A link has a token that works once; the browser that opens it gets a key for all it does later.
 * Both exist in memory only, and end with the process.
 */
export class WebAccess {
  #token: string | undefined;
  /** Hashes, so that comparing one takes the same time whatever was sent. */
  readonly #keys = new Set<string>();

  /** The token of the next link; an earlier one that nobody has used no longer works. */
  newToken(): string {
    const token = secret();
    this.#token = hashOf(token);
    return token;
  }

  /** The key for the holder of the token; undefined: it has been used, or never was one. */
  redeem(token: string): string | undefined {
    if (this.#token === undefined || hashOf(token) !== this.#token) return undefined;
    this.#token = undefined;
    const key = secret();
    this.#keys.add(hashOf(key));
    for (const oldest of this.#keys) {
      if (this.#keys.size <= MAX_KEYS) break;
      this.#keys.delete(oldest);
    }
    return key;
  }

  isKey(key: string): boolean {
    return this.#keys.has(hashOf(key));
  }
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** The secrets of one login attempt (RFC 7636; RFC 6749, 10.12). They only appear inside the address to open. */
export type Attempt = { state: string; nonce: string; verifier: string; challenge: string };

export function newAttempt(): Attempt {
  const verifier = randomBytes(64).toString("base64url");
  return {
    state: randomBytes(32).toString("base64url"),
    nonce: randomBytes(16).toString("base64url"),
    verifier,
    challenge: createHash("sha256").update(verifier).digest("base64url"),
  };
}

/** Compares in constant time. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

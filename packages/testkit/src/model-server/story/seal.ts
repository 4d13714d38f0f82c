import { createHash } from "node:crypto";

/**
 * Content that vendors sign or encrypt, so that it must come back unchanged: signatures of thoughts, redacted thoughts, encrypted
 * reasoning. A seal holds by itself: the server keeps no list of those that it gave out.
 */

/** The signature that belongs to this text. `kind` makes one vendor's signatures invalid for all others. */
export function sealText(kind: string, text: string): string {
  return createHash("sha256").update(`${kind}\n${text}`).digest("base64");
}

/** A text that only this server can read, in appearance. */
export function sealed(kind: string, text: string): string {
  const body = Buffer.from(text).toString("base64url");
  return `${body}.${sealText(kind, body)}`;
}

export function isSealed(kind: string, value: string): boolean {
  const at = value.lastIndexOf(".");
  return at >= 0 && sealText(kind, value.slice(0, at)) === value.slice(at + 1);
}

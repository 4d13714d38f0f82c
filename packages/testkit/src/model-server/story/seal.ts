import { createHash } from "node:crypto";

/**
 * Content that vendors sign or encrypt, so that it must be returned unchanged: signatures of thoughts, redacted
 * thoughts, encrypted reasoning. A seal is self-contained: the server keeps no list of those that it issued.
 */

/** The signature for this text. `kind` makes one vendor's signatures invalid for all others. */
export function sealText(kind: string, text: string): string {
  return createHash("sha256").update(`${kind}\n${text}`).digest("base64");
}

/** Text that looks as if only this server could read it. */
export function sealed(kind: string, text: string): string {
  const body = Buffer.from(text).toString("base64url");
  return `${body}.${sealText(kind, body)}`;
}

export function isSealed(kind: string, value: string): boolean {
  const at = value.lastIndexOf(".");
  return at >= 0 && sealText(kind, value.slice(0, at)) === value.slice(at + 1);
}

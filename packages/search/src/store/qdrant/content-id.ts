import { createHash } from "node:crypto";

/** The id of a point: a UUID of a SHA-256 (RFC 9562, version 8), so that the same content is written to the same place. */
export function contentId(...parts: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** True for the form of ids that `contentId` writes. */
export function isContentId(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}

import { newSessionDigest, type SessionDigest, type SessionSummary, summaryOf } from "@harness/protocol";
import { type Damage, damageText, undamaged } from "./damage.ts";

/** The digest of a stored session, with the damage found in its logs. */
export type StoredDigest = SessionDigest & { damage: Damage };

export function newStoredDigest(header: Parameters<typeof newSessionDigest>[0]): StoredDigest {
  return { ...newSessionDigest(header), damage: undamaged };
}

/** True if the session has anything that the user might look for. */
export function isWorthListing({ turns, damage }: StoredDigest): boolean {
  return turns > 0 || damageText(damage) !== undefined;
}

export function summaryFrom({ damage, ...digest }: StoredDigest): SessionSummary {
  return summaryOf(digest, "stored", damageText(damage));
}

/** A digest read from a file; undefined if it is not a digest. */
export function asStoredDigest(value: unknown): StoredDigest | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const digest = value as Partial<StoredDigest>;
  const { sessionId, cwd, createdAt, updatedAt, preview, turns, subagents, damage, title } = digest;
  const texts = [sessionId, cwd, createdAt, updatedAt, preview];
  if (!texts.every((text) => typeof text === "string")) return undefined;
  if (typeof turns !== "number" || typeof subagents !== "number") return undefined;
  if (typeof damage?.pieces !== "number") return undefined;
  return title === undefined || typeof title === "string" ? (digest as StoredDigest) : undefined;
}

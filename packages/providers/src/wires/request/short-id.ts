import { createHash } from "node:crypto";

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A hash of the text as letters and digits of this length, at most 32. */
export function shortId(text: string, length: number): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, length);
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** OpenAI refuses longer ones. */
const MAX_LANE = 64;

/** The name of a request's lane for a server. */
export function laneKey(lane: string): string {
  return lane.length > MAX_LANE ? shortId(lane, 32) : lane;
}

/**
 * Ids of calls that another vendor made, in the alphabet that strict servers demand; the same id always gives the same
 * result.
 */
export function sendableId(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id;
  return `${id.replace(/[^\w-]/g, "_").slice(0, 50)}_${shortId(id, 12)}`;
}

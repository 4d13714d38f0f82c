import { randomBytes } from "node:crypto";
import { isFolderName } from "./session-folder.ts";

/** Base 32 without the characters that are easily confused. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const DATED = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/;

/** `20261121-143022-x7f3`: local time, so that people recognise it, and four characters: random ones, or of these bytes. */
export function makeSessionId(now: number, bytes: Uint8Array = randomBytes(4)): string {
  const date = new Date(now);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join("");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join("");
  const tail = Array.from(bytes.subarray(0, 4), (byte) => LETTERS[byte % LETTERS.length]).join("");
  return `${day}-${time}-${tail}`;
}

/** The ISO date at which an id was made; 1970 for ids of other programs. */
export function dateOfId(sessionId: string): string {
  const [year, month, day, hour, minute, second] = (DATED.exec(sessionId) ?? []).slice(1).map(Number);
  const date = new Date(year ?? 1970, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0);
  return date.toISOString();
}

/** True for ids that harness has made: none looks like an option of a command, or is one letter. */
export function isMadeId(name: string): boolean {
  return /^\d{8}-\d{6}-[a-z0-9]{4}$/.test(name);
}

/** May it be a session's folder? Rules out paths and our own dot files. */
export function isSessionId(name: string): boolean {
  return isFolderName(name);
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

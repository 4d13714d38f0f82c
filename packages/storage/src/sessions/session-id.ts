import { randomBytes } from "node:crypto";
import { isFolderName } from "./session-folder.ts";

/** Base 32 without characters that are easily confused. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const DATED = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/;

/** `20261121-143022-x7f3`: the local time, which people recognise, and four random characters. */
export function makeSessionId(now: number, bytes: Uint8Array = randomBytes(4)): string {
  const date = new Date(now);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join("");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join("");
  const tail = Array.from(bytes.subarray(0, 4), (byte) => LETTERS[byte % LETTERS.length]).join("");
  return `${day}-${time}-${tail}`;
}

/** The ISO date in an id; 1970 for ids of other programs. */
export function dateOfId(sessionId: string): string {
  const [year, month, day, hour, minute, second] = (DATED.exec(sessionId) ?? []).slice(1).map(Number);
  const date = new Date(year ?? 1970, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0);
  return date.toISOString();
}

/** True for ids made by harness, which never look like a command's option or a single letter. */
export function isMadeId(name: string): boolean {
  return /^\d{8}-\d{6}-[a-z0-9]{4}$/.test(name);
}

/** True if it may be the name of a session's folder: not a path, and not one of our own dot files. */
export function isSessionId(name: string): boolean {
  return isFolderName(name);
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

import { fchmodSync, type Stats } from "node:fs";
import { errorCode } from "../files/error-code.ts";

const OTHERS = 0o077;
const GROUP_WRITE = 0o020;
const OTHERS_WRITE = 0o002;

/** Checks who may use an open file: returns sentences for the user, or throws `AccessRefusedError`. */
export type AccessCheck = (file: { path: string; fd: number; stats: Stats }) => string[];

/** Why a file is not read: a whole sentence. */
export class AccessRefusedError extends Error {
  override readonly name = "AccessRefused";
}

/** For secrets: the file must belong to this user, and is closed to all others. */
export const closedToOthers: AccessCheck = ({ path, fd, stats: { mode, uid } }) => {
  const user = process.getuid?.();
  // Systems without users have no modes.
  if (user === undefined) return [];
  if (uid !== user) throw new Error("it belongs to another user");
  try {
    if (!closeToOthers(fd, { mode })) return [];
    return [
      `${path} could be read by other users of this machine. harness has changed that; replace keys that they may have seen.`,
    ];
  } catch (error) {
    const why = errorCode(error) ?? error;
    return [`${path} can be read by other users, and harness could not change that (${why}). Run chmod go= on it.`];
  }
};

/** Returns true if others could use the file until now. Throws the file system's errors. */
export function closeToOthers(fd: number, { mode }: Pick<Stats, "mode">): boolean {
  if ((mode & OTHERS) === 0) return false;
  fchmodSync(fd, mode & 0o700);
  return true;
}

/** For decisions: a user who may write the file could allow anything. */
export const writtenByOwnerOnly: AccessCheck = ({ path, stats }) => {
  const problem = othersProblem(path, stats, "who could allow anything");
  if (problem === undefined) return [];
  throw new AccessRefusedError(problem);
};

/** Why a file or folder may have been changed by others, as a sentence; `who`: what that would let them do. */
export function othersProblem(
  path: string,
  { mode, uid, gid }: Pick<Stats, "mode" | "uid" | "gid">,
  who: string,
): string | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  if (uid !== user && uid !== 0) return `${path} belongs to another user, ${who}. Make it your own with chown.`;
  // Many systems give each user a group of one, and make files writable for the group.
  const group = gid === process.getgid?.() ? 0 : GROUP_WRITE;
  if ((mode & (OTHERS_WRITE | group)) === 0) return undefined;
  return `${path} can be written by other users, ${who}. Check its content, then run: chmod go-w ${path}`;
}

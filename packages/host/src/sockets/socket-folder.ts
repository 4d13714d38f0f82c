import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { makePrivateFolder } from "../files/private-folder.ts";

/** Where the sockets of this person's servers are, or the reason why there can be none, as sentences. */
export class SocketFolderError extends Error {
  override readonly name = "SocketFolderError";
}

/** The longest path of a socket that every system takes (`sun_path` on macOS), without its closing zero. */
const MAX_PATH_BYTES = 103;
const STICKY = 0o1000;
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const ADVICE = "Set XDG_RUNTIME_DIR to a folder that only you can use.";

/**
 * `harness` in the folder that the system keeps for what a person runs (`XDG_RUNTIME_DIR`, by the XDG base directory
 * specification), or `harness-UID` in the temporary folder. Creates nothing.
 */
export function socketFolderOf(env: Readonly<Record<string, string | undefined>>): string {
  const user = process.getuid?.() ?? 0;
  const named = env.XDG_RUNTIME_DIR;
  if (named?.startsWith("/")) return join(named, "harness");
  // A login by ssh or a timer may lack the variable: they are to meet the servers of the desktop.
  const usual = `/run/user/${user}`;
  if (statSync(usual, { throwIfNoEntry: false })?.uid === user) return join(usual, "harness");
  return join(env.TMPDIR?.startsWith("/") ? env.TMPDIR : "/tmp", `harness-${user}`);
}

/** Makes the folder if it is missing. Throws a `SocketFolderError` if others could reach or replace what is in it. */
export function openSocketFolder(folder: string): void {
  try {
    makePrivateFolder(folder);
  } catch (error) {
    throw new SocketFolderError(`The folder of sockets cannot be made: ${(error as Error).message}. ${ADVICE}`);
  }
  const problem = folderProblem(folder);
  if (problem !== undefined) throw new SocketFolderError(`${problem} ${ADVICE}`);
}

/** Why what is in the folder may not be this person's own, as a sentence; undefined: it is, or there is no folder. */
export function folderProblem(folder: string): string | undefined {
  const [stats, above] = [folder, dirname(folder)].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (!stats || !above) return undefined;
  const user = process.getuid?.();
  if (!stats.isDirectory()) return `${folder} is not a folder, so it may not be your own.`;
  if (stats.uid !== user) return `${folder} belongs to another user.`;
  if ((stats.mode & OTHERS) !== 0) return `${folder} can be used by other users: remove it, or run chmod 700 on it.`;
  if (isReplaceable(statSync(dirname(folder)), user))
    return `${dirname(folder)} can be changed by other users, who could put a folder of theirs in place of ${folder}.`;
  return undefined;
}

/** Others may rename what is in this folder. */
function isReplaceable({ uid, mode }: Stats, user: number | undefined): boolean {
  if (uid !== user && uid !== 0) return true;
  return (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0;
}

/** Throws a `SocketFolderError` if the system could not bind a socket there. */
export function needSocketPath(path: string): string {
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  throw new SocketFolderError(`The path ${path} is too long for a socket. Set XDG_RUNTIME_DIR to a shorter one.`);
}

import { chmodSync, lstatSync, type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { errorCode } from "@harness/host";
import type { ConfigPaths } from "./config-paths.ts";

const OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Removes the permissions of other users on existing folders and settings. Returns sentences about everything that this
 * user cannot change. Creates nothing, never throws.
 */
export function closeConfigFolder(configPaths: ConfigPaths): string[] {
  const user = process.getuid?.();
  // Systems without users have no modes.
  if (user === undefined) return [];
  const problems: string[] = [];
  for (const path of [configPaths.root, configPaths.conversations, configPaths.logs, configPaths.settings]) {
    const problem = closeOne(path, user, path === configPaths.root);
    if (problem !== undefined) problems.push(problem);
    // If the root folder belongs to another user, so does everything in it.
    if (problem !== undefined && path === configPaths.root) break;
  }
  return problems;
}

function closeOne(path: string, user: number, isRoot: boolean): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    // A device or a pipe, such as `HARNESS_HOME=/dev/null`, belongs to everybody.
    if (!stat?.isDirectory() && !stat?.isFile()) return undefined;
    if (stat.uid !== user) {
      return (
        `${path} belongs to another user, who can read your conversations and change your settings. ` +
        `Set HARNESS_HOME to a folder of your own.`
      );
    }
    if ((stat.mode & OTHERS) === 0 || (isRoot && isSharedPlace(path, stat))) return undefined;
    // A link into a dotfiles folder: its permissions are managed there.
    if (stat.isFile() && lstatSync(path).isSymbolicLink()) return undefined;
    chmodSync(path, stat.mode & 0o7700);
    return undefined;
  } catch (error) {
    return `${path} can be opened by other users, and harness could not change that (${errorCode(error) ?? error}). Run chmod go= on it.`;
  }
}

/**
 * `HARNESS_HOME=/tmp`, or the home folder itself: others need access to these, and our folders inside are closed
 * anyway.
 */
function isSharedPlace(path: string, { mode }: Stats): boolean {
  return (mode & STICKY) !== 0 || path === homedir() || path === "/";
}

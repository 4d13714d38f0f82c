import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { SessionParent } from "@harness/protocol";
import { type SessionFolder, sessionFolder, siblingFolder, subfolders } from "../session-folder.ts";

/** A folder with saved texts: its path in facts, and its current path. */
export type SavedTextFolder = { named: string; dir: string };

/**
 * The folder whose log has the facts that a session shares with its parent; `dir`: the session's folder. It is the
 * parent's own, or a copy of that part inside the session's folder, made when the parent was deleted while the session
 * was open.
 */
export function parentFolder(dir: string, { sessionId }: SessionParent): SessionFolder {
  const { shared } = sessionFolder(dir);
  return hasSharedCopy(dir) ? sessionFolder(shared) : siblingFolder(dir, sessionId);
}

/** Never throws. */
export function hasSharedCopy(dir: string): boolean {
  try {
    return lstatSync(sessionFolder(sessionFolder(dir).shared).log, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** The folders with the parents' saved texts, nearest first; `further`: those of its parent. */
export function sharedTextFolders(
  dir: string,
  parent: SessionParent,
  further: readonly SavedTextFolder[],
): SavedTextFolder[] {
  const named = (sessionId: string) => siblingFolder(dir, sessionId).blobs;
  if (!hasSharedCopy(dir)) return [{ named: named(parent.sessionId), dir: named(parent.sessionId) }, ...further];
  const { blobs } = sessionFolder(sessionFolder(dir).shared);
  return subfolders(blobs).map((sessionId) => ({ named: named(sessionId), dir: join(blobs, sessionId) }));
}

/** All paths of such folders. */
export function textPaths(folders: readonly SavedTextFolder[]): string[] {
  return [...new Set(folders.flatMap(({ named, dir }) => [named, dir]))];
}

import { lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { othersProblem } from "@harness/host";
import { agentFolders, isFolderName, type SessionFolder } from "./session-folder.ts";

const WHO = "who could have harness do in your name what its log says";

/**
 * Why a stored session is not continued, as a sentence: a different user may have written it. Undefined if only this
 * user can have. `others`: further folders that belong to it. The session can still be read. Throws file system errors.
 */
export function ownerProblem(root: string, folder: SessionFolder, others: readonly string[] = []): string | undefined {
  // The sessions' folder may be a link of the user's own.
  const all = othersProblem(root, statSync(root), WHO);
  if (all !== undefined) return all;
  const agents = agentFolders(folder.dir);
  const folders = [...others, folder.blobs, ...agents.flatMap(({ dir }) => [dir, dirname(dir)])].filter(
    (dir) => dir !== root,
  );
  const logs = agents.map(({ log }) => log);
  // These files are replaced, never written to.
  const replaced = [folder.meta, folder.lock, folder.damaged];
  const links = agents
    .flatMap(({ dir }) => [...linksIn(dir), ...linksIn(join(dir, "subagent"))])
    .filter((path) => !replaced.includes(path));
  return (
    firstProblem(links, (stats) => (stats.isSymbolicLink() ? "is a link" : undefined)) ??
    firstProblem(folders, (stats) => (stats.isDirectory() ? undefined : "is not a folder of its own")) ??
    firstProblem(logs, () => undefined)
  );
}

/** A link in place of a log, or of a folder for logs or worktrees, would make harness write elsewhere. */
function linksIn(dir: string): string[] {
  try {
    const entries = readdirSync(dir, { withFileTypes: true });
    return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(dir, name));
  } catch {
    // The folder is missing, or is not a folder.
    return [];
  }
}

function firstProblem(paths: readonly string[], kind: (stats: Stats) => string | undefined): string | undefined {
  for (const path of new Set(paths)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) continue;
    const odd = kind(stats);
    if (odd !== undefined) return `${path} ${odd}: harness made no such thing, and does not follow it.`;
    const problem = othersProblem(path, stats, WHO);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** True for the plain name of a file in this folder that only this user can have written. Never throws. */
export function isOwnFile(folder: string, path: string): boolean {
  const name = basename(path);
  if (!isFolderName(name) || path !== join(folder, name)) return false;
  try {
    const [outer, stats] = [lstatSync(folder), lstatSync(path)];
    const isPlain = outer.isDirectory() && stats.isFile() && stats.nlink === 1;
    return isPlain && [outer, stats].every((each) => othersProblem(path, each, WHO) === undefined);
  } catch {
    return false;
  }
}

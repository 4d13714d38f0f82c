import { readdirSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { ROOT_AGENT } from "@harness/protocol";

/** The paths of a session's parts; a child agent's folder has the same layout. */
export type SessionFolder = {
  sessionId: string;
  dir: string;
  log: string;
  meta: string;
  lock: string;
  blobs: string;
  damaged: string;
  forks: string;
  /** Its own copy of what it shares with a parent that was deleted while this session was open. */
  shared: string;
};

export type AgentLogFolder = { agentId: string; dir: string; log: string };

/** Agents nest four levels deep; deeper folders are not ours. */
const MAX_DEPTH = 16;

export function sessionFolder(dir: string): SessionFolder {
  // A list makes these paths for thousands of sessions: `join` would take a seventh of its time.
  const path = (name: string): string => dir + sep + name;
  return {
    sessionId: sessionIdOf(dir),
    dir,
    log: path("log.jsonl"),
    meta: path("meta.json"),
    lock: path("lock"),
    blobs: path("blobs"),
    damaged: path("log.damaged"),
    forks: path("forks"),
    shared: path("shared"),
  };
}

/** The folder inside the session's folder that has its log, if the session has other files as well. */
const SIDECAR = ".harness";

export function sidecarFolder({ dir, lock, forks }: SessionFolder): SessionFolder {
  return { ...sessionFolder(join(dir, SIDECAR)), lock, forks };
}

/** The session with its log in this folder. */
export function sessionIdOf(dir: string): string {
  return basename(basename(dir) === SIDECAR ? dirname(dir) : dir);
}

/** The folder of another session of the same kind. */
export function siblingFolder(dir: string, sessionId: string): SessionFolder {
  if (basename(dir) !== SIDECAR) return sessionFolder(join(dirname(dir), sessionId));
  return sidecarFolder(sessionFolder(join(dirname(dirname(dir)), sessionId)));
}

/** Safe as a folder name: no separator, no leading dot. */
export function isFolderName(name: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(name);
}

export function childFolder(parentDir: string, agentId: string): AgentLogFolder {
  const dir = join(parentDir, "subagent", agentId);
  return { agentId, dir, log: join(dir, "log.jsonl") };
}

/** The session's agents, parents first, siblings sorted by name. */
export function agentFolders(dir: string): AgentLogFolder[] {
  return [{ agentId: ROOT_AGENT, dir, log: join(dir, "log.jsonl") }, ...childrenOf(dir, 0)];
}

function childrenOf(dir: string, depth: number): AgentLogFolder[] {
  if (depth >= MAX_DEPTH) return [];
  return subfolders(join(dir, "subagent"))
    .map((name) => childFolder(dir, name))
    .flatMap((child) => [child, ...childrenOf(child.dir, depth + 1)]);
}

/** The names of real folders only: a link could lead anywhere. */
export function subfolders(dir: string): string[] {
  try {
    const entries = readdirSync(dir, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && isFolderName(entry.name))
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

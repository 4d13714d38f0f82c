import { tmpdir } from "node:os";
import { basename } from "node:path";
import type { WorkspaceFacts } from "@harness/core";
import { folderEntries } from "./folder-entries.ts";
import { countChangedFiles } from "./git-diff-counts.ts";
import type { GitEnvironments } from "./git-env.ts";
import { findRepository, readBranch } from "./git-state.ts";
import { readProjectFacts } from "./project-facts.ts";

const MAX_ENTRIES = 50;
/** The longest time that the first request waits for git's count of changed files. */
const GIT_PATIENCE_MS = 250;

/** The facts about a folder for the system prompt. Never fails: unreadable facts are omitted. */
export async function readWorkspaceFacts(cwd: string, environments: GitEnvironments): Promise<WorkspaceFacts> {
  const [git, entries, project] = await Promise.all([
    readGit(cwd, environments),
    folderEntries(cwd),
    readProjectFacts(cwd),
  ]);
  return {
    root: cwd,
    ...(git ? { git } : {}),
    ...(project ? { project } : {}),
    entries: entries.slice(0, MAX_ENTRIES),
    moreEntries: Math.max(0, entries.length - MAX_ENTRIES),
    platform: process.platform,
    shell: basename(process.env.SHELL ?? "sh"),
    temporaryFolder: tmpdir(),
  };
}

async function readGit(cwd: string, environments: GitEnvironments): Promise<WorkspaceFacts["git"]> {
  const repository = await findRepository(cwd);
  if (!repository) return undefined;
  const [branch, changedFiles] = await Promise.all([
    readBranch(repository.gitDir),
    countChangedFiles(repository.root, environments, GIT_PATIENCE_MS),
  ]);
  return branch === undefined ? undefined : { branch, changedFiles };
}

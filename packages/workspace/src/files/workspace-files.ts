import { join } from "node:path";
import type { Checkpoints, FileList, SessionHeader, Worktrees } from "@harness/core";
import { realPathOrSame } from "@harness/host";
import {
  makeForkWorktree,
  namedWorktree,
  openCheckpoints,
  openWorktrees,
  packCheckpoints,
  type TakeCheckpoints,
  takeCheckpoints,
} from "@harness/storage";
import type { Bootstrap } from "../bootstrap.ts";
import type { DiskChanges } from "../diagnostics/disk-changes.ts";
import { FolderChecks } from "../diagnostics/folder-checks.ts";
import type { FolderSettings } from "../settings/folder-settings.ts";
import type { FolderSources } from "../sources/folder-sources.ts";
import { nodeClock } from "../system/node-clock.ts";
import { sessionsPath } from "../system/sessions-path.ts";
import type { FolderTrust } from "../trust/folder-trust.ts";
import { FileSearch } from "./file-search.ts";
import { type GitCounts, type GitSilence, readGitCounts } from "./git-diff-counts.ts";
import type { GitEnvironments } from "./git-env.ts";
import type { NewFileLines } from "./new-file-lines.ts";
import { workspaceFileList } from "./workspace-file-list.ts";

export type WorkspaceFilesOptions = {
  base: Pick<Bootstrap, "configPaths" | "machine" | "report">;
  settings: Pick<FolderSettings, "values">;
  git: GitEnvironments;
  newFileLines: NewFileLines;
  trust: Pick<FolderTrust, "state">;
  sources: Pick<FolderSources, "current">;
  changes: DiskChanges;
};

/** The files of a folder, git's view of them, and their states before agents changed them. */
export class WorkspaceFiles {
  /** Which files there are. */
  readonly list: FileList = workspaceFileList;
  /** Finds mistakes in them. */
  readonly diagnostics: FolderChecks;
  readonly #folder: string;
  readonly #options: WorkspaceFilesOptions;
  readonly #search: FileSearch;

  constructor(folder: string, options: WorkspaceFilesOptions) {
    this.#folder = folder;
    this.#options = options;
    const { base, settings, trust, sources, changes } = options;
    this.diagnostics = new FolderChecks(folder, {
      env: base.machine.env,
      settings,
      trust,
      sources,
      changes,
    });
    this.#search = new FileSearch(folder, this.list, nodeClock.monotonicMs);
  }

  /** Paths with names similar to a text, best first; folders end in `/`. */
  search(query: string, limit: number): Promise<string[]> {
    return this.#search.find(query, limit);
  }

  /** Undefined outside a repository, and if git fails. */
  gitCounts(): Promise<GitCounts | GitSilence | undefined> {
    return readGitCounts(this.#folder, this.#options.git, this.#options.newFileLines);
  }

  /** The file states that undo can restore. `roots`: the folders whose files are saved, the session's first. */
  checkpoints(roots: () => readonly string[]): Checkpoints {
    const { settings, base } = this.#options;
    return openCheckpoints({
      ...this.#kept(),
      roots,
      get maxFileBytes() {
        return settings.values.checkpoint_max_file_bytes;
      },
      report: base.report,
    });
  }

  /** The worktrees of a session's subagents. */
  worktrees({ sessionId, cwd }: Pick<SessionHeader, "sessionId" | "cwd">): Worktrees {
    const { settings, base } = this.#options;
    return openWorktrees({
      ...this.#kept(),
      cwd: realPathOrSame(cwd),
      place: worktreesFolder(base.configPaths.conversations, sessionId),
      get maxFileBytes() {
        return settings.values.checkpoint_max_file_bytes;
      },
    });
  }

  /** A worktree for a fork of a session in this folder, with the files of a checkpoint or as they are. */
  forkWorktree(title: string, checkpointId: string | undefined) {
    const { checkpoint_max_file_bytes: maxFileBytes } = this.#options.settings.values;
    return makeForkWorktree({ ...this.#kept(), cwd: realPathOrSame(this.#folder), title, checkpointId, maxFileBytes });
  }

  /** The worktree of this name beside the repository, made if there is none. */
  namedWorktree(name: string) {
    const { checkpoint_max_file_bytes: maxFileBytes } = this.#options.settings.values;
    return namedWorktree({ ...this.#kept(), cwd: realPathOrSame(this.#folder), name, maxFileBytes });
  }

  /** The states of the folder's files that these checkpoints consist of, for a folder elsewhere. */
  packCheckpoints(wanted: Parameters<typeof packCheckpoints>[1]) {
    return packCheckpoints(this.#place(), wanted);
  }

  /** Takes such states from elsewhere. */
  takeCheckpoints(pack: Parameters<TakeCheckpoints>[0]): ReturnType<TakeCheckpoints> {
    return takeCheckpoints(this.#place(), pack);
  }

  #place() {
    const { checkpoint_max_file_bytes: maxFileBytes } = this.#options.settings.values;
    return { ...this.#kept(), root: this.#folder, maxFileBytes };
  }

  /** Harness's own files are excluded from the saved ones. */
  #kept() {
    const { configPaths, machine } = this.#options.base;
    const { root, conversations, logs } = configPaths;
    const sessions = sessionsPath(machine);
    const leaveOut = [root, conversations, logs, ...(sessions ? [sessions] : [])];
    return { folder: join(root, "checkpoints"), leaveOut, files: this.list, clock: nodeClock };
  }
}

/** Next to the session's log, and removed with it. */
export function worktreesFolder(conversations: string, sessionId: string): string {
  return join(conversations, sessionId, "worktrees");
}

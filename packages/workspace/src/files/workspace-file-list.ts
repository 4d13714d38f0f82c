import type { FileList } from "@harness/core";
import { walkedFiles } from "@harness/tools";
import { gitEnv } from "./git-env.ts";
import { gitFilesOnDisk } from "./git-paths.ts";
import { findRepository } from "./git-state.ts";
import { watchRepository } from "./watch-repository.ts";

const MAX_FILES = 100_000;
/** Skipped by walks too; git lists them if no rule ignores them. */
const NEVER_LISTED = /(?:^|\/)(?:node_modules|__pycache__)\//;

/** The files of a folder: searches walk it; in a repository git lists all files, as fast as it reads its index. */
export const workspaceFileList: FileList = {
  ...walkedFiles,
  watch: watchRepository,
  async all(folder) {
    const repository = await findRepository(folder);
    const listed = repository && (await gitFilesOnDisk(folder, { env: gitEnv(repository.root) }));
    if (!listed) return walkedFiles.all(folder);
    const files = listed.filter((path) => !NEVER_LISTED.test(path));
    return { files: files.slice(0, MAX_FILES), incomplete: files.length > MAX_FILES };
  },
};

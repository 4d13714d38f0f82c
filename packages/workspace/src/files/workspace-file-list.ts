import type { FileList } from "@harness/core";
import { walkedFiles } from "@harness/tools";
import { gitEnv } from "./git-env.ts";
import { gitFilesOnDisk } from "./git-paths.ts";
import { findRepository } from "./git-state.ts";

const MAX_FILES = 100_000;
/** As a walk does: git lists them where no rule ignores them. */
const NEVER_LISTED = /(?:^|\/)(?:node_modules|__pycache__)\//;

/** Which files there are: a search walks, and in a repository git lists all of them, as fast as its index is read. */
export const workspaceFileList: FileList = {
  ...walkedFiles,
  async all(folder) {
    const repository = await findRepository(folder);
    const listed = repository && (await gitFilesOnDisk(folder, { env: gitEnv(repository.root) }));
    if (!listed) return walkedFiles.all(folder);
    const files = listed.filter((path) => !NEVER_LISTED.test(path));
    return { files: files.slice(0, MAX_FILES), incomplete: files.length > MAX_FILES };
  },
};

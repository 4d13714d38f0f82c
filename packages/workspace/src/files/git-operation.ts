import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readGitLine } from "./git-state.ts";

/** Something that git is in the middle of, and the branch that it is about; gitrepository-layout(5). */
export type GitOperation = {
  operation: "rebasing" | "applying patches" | "merging" | "cherry-picking" | "reverting" | "bisecting";
  branch?: string;
};

/** The file or folder that git keeps while an operation lasts, and the one that names its branch. The first wins. */
const marks: readonly { path: string; operation: GitOperation["operation"]; branch?: string }[] = [
  { path: "rebase-merge", operation: "rebasing", branch: "rebase-merge/head-name" },
  { path: "rebase-apply/applying", operation: "applying patches" },
  { path: "rebase-apply", operation: "rebasing", branch: "rebase-apply/head-name" },
  { path: "CHERRY_PICK_HEAD", operation: "cherry-picking" },
  { path: "REVERT_HEAD", operation: "reverting" },
  { path: "MERGE_HEAD", operation: "merging" },
  { path: "BISECT_LOG", operation: "bisecting", branch: "BISECT_START" },
];

/** Changes of these in the folder of a repository's state can change what the status row says. */
export const operationFiles: ReadonlySet<string> = new Set(marks.map(({ path }) => path.split("/")[0] ?? path));

/** Undefined while git is in the middle of nothing. */
export async function readGitOperation(gitDir: string): Promise<GitOperation | undefined> {
  for (const { path, operation, branch } of marks) {
    if (!(await stat(join(gitDir, path)).catch(() => undefined))) continue;
    const name = branch && (await readGitLine(join(gitDir, branch))).replace(/^refs\/heads\//, "");
    // A rebase of no branch says "detached HEAD"; a bisect that began there names the commit.
    const isBranch = name !== undefined && name !== "" && !/^detached HEAD$|^[0-9a-f]{40,64}$/.test(name);
    return isBranch ? { operation, branch: name } : { operation };
  }
  return undefined;
}

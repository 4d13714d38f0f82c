import { createHash } from "node:crypto";
import { basename, dirname, join, resolve } from "node:path";
import { readRegularFile, realPathOrSame, statIfThere } from "@harness/host";
import type { ConfigPaths } from "../config-paths.ts";

/** The files whose rules apply in a folder, as absolute paths. */
export type PolicyPaths = {
  user: string;
  /** The user's answers for the project, stored outside it so that no clone brings answers along. */
  project: string;
  /** The rules of the repository itself. */
  repository: string;
};

/** Finds the files; a folder outside any repository is its own project. Never throws. */
export function policyPaths({ root }: Pick<ConfigPaths, "root">, cwd: string): PolicyPaths {
  const { top, project } = projectOf(cwd);
  const name = createHash("sha256").update(project).digest("hex");
  return {
    user: join(root, "policies.json"),
    project: join(root, "projects", `${name}.json`),
    repository: join(top, ".harness", "policies.json"),
  };
}

/** `top`: the folder that contains `.git`. `project`: the same, or the repository that worktrees share. Real paths. */
export function projectOf(cwd: string): { top: string; project: string } {
  const start = realPathOrSame(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    const dotGit = join(folder, ".git");
    const stat = statIfThere(dotGit);
    if (stat?.isDirectory()) return { top: folder, project: folder };
    if (stat?.isFile()) return { top: folder, project: sharedRoot(dotGit) ?? folder };
    if (dirname(folder) === folder) return { top: start, project: start };
  }
}

/**
 * The root that all worktrees share (gitrepository-layout(5): `gitdir`, `commondir`). The repository must in turn name
 * this very worktree: a folder that merely points to a repository gets none of its answers.
 */
function sharedRoot(dotGit: string): string | undefined {
  const gitDir = /^gitdir: (.+)$/m.exec(firstLines(dotGit))?.[1];
  if (gitDir === undefined) return undefined;
  const folder = resolve(dirname(dotGit), gitDir);
  const common = firstLines(join(folder, "commondir")).trim();
  const back = firstLines(join(folder, "gitdir")).trim();
  if (common === "" || back === "" || realPathOrSame(resolve(folder, back)) !== realPathOrSame(dotGit))
    return undefined;
  const shared = realPathOrSame(resolve(folder, common));
  return basename(shared) === ".git" ? dirname(shared) : shared;
}

/** Such files contain only a path. */
const MAX_BYTES = 8_192;

/** The content of the file; empty if it cannot be read. */
function firstLines(path: string): string {
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8");
  } catch {
    return "";
  }
}

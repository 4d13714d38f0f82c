import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readFileStart } from "@harness/host";

/** `HEAD` and `.git` hold one line: a name or a path. */
const MAX_LINE_BYTES = 8_192;

/**
 * The location of a repository's state, found by walking up. `.git` is a folder, or in worktrees and submodules a file
 * with `gitdir: PATH` (gitrepository-layout(5)).
 */
export async function findRepository(cwd: string): Promise<{ root: string; gitDir: string } | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const dotGit = join(folder, ".git");
    const info = await stat(dotGit).catch(() => undefined);
    if (info?.isDirectory()) return { root: folder, gitDir: dotGit };
    if (info?.isFile()) {
      const target = /^gitdir: (.+)$/m.exec(await readLines(dotGit))?.[1];
      if (target) return { root: folder, gitDir: isAbsolute(target) ? target : join(folder, target) };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** The line in `HEAD`: the name of a branch, or a commit. */
export async function readHead(gitDir: string): Promise<string> {
  return readGitLine(join(gitDir, "HEAD"));
}

/** The one line of a file of git's state; empty if it cannot be read. */
export async function readGitLine(path: string): Promise<string> {
  return (await readLines(path)).trim();
}

/** The branch from `HEAD`, without starting git; the short commit if HEAD is detached. */
export async function readBranch(gitDir: string): Promise<string | undefined> {
  const head = await readHead(gitDir);
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  return branch ?? (/^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 8) : undefined);
}

/** The location of a repository's configuration, which its worktrees share. */
export async function commonDir(gitDir: string): Promise<string> {
  const path = await readGitLine(join(gitDir, "commondir"));
  return path === "" ? gitDir : resolve(gitDir, path);
}

async function readLines(path: string): Promise<string> {
  const real = await realpath(path).catch(() => path);
  return (await readFileStart(real, MAX_LINE_BYTES))?.bytes.toString("utf8") ?? "";
}

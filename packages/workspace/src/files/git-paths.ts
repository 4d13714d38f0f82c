import { gitOutput } from "@harness/host";

const MAX_OUTPUT_BYTES = 64 << 20;
const TIMEOUT_MS = 5_000;
/** A submodule in git's index. */
const SUBMODULE = "160000";
/** Git's marks for listed files that are removed from disk or left out of a sparse checkout. */
const ABSENT: ReadonlySet<string> = new Set(["R", "S"]);

export type GitPathsOptions = { env: Readonly<Record<string, string>>; timeoutMs?: number };

/**
 * The paths below a folder that git does not ignore, as git lists them, including removed files and nested repositories
 * (`nested/`). For questions about a repository; questions about files go to a `FileList`. `new`: only untracked ones.
 * Git reads its index and patterns, and runs no program. Undefined outside a repository, and if git fails.
 */
export function gitPaths(cwd: string, which: "all" | "new", options: GitPathsOptions): Promise<string[] | undefined> {
  return lsFiles(cwd, which === "all" ? ["--cached"] : [], options);
}

/**
 * The files and links among them that are on disk, without duplicates: the index lists a file with conflicts several
 * times. Undefined outside a repository, and if git fails.
 */
export async function gitFilesOnDisk(cwd: string, options: GitPathsOptions): Promise<string[] | undefined> {
  const entries = await lsFiles(cwd, ["--cached", "--deleted", "--stage", "-t"], options);
  if (!entries) return undefined;
  const files = new Set<string>();
  const absent = new Set<string>();
  for (const entry of entries) {
    // An untracked file has no mode.
    const [, mark = "", mode, tracked] = /^(.) (\d{6}) [0-9a-f]+ \d\t(.*)$/s.exec(entry) ?? [];
    const path = entry.startsWith("? ") ? entry.slice(2) : (tracked ?? "");
    if (ABSENT.has(mark)) absent.add(path);
    else if (mode !== SUBMODULE && path !== "" && !path.endsWith("/")) files.add(path);
  }
  return [...files].filter((path) => !absent.has(path));
}

async function lsFiles(
  cwd: string,
  which: readonly string[],
  { env, timeoutMs = TIMEOUT_MS }: GitPathsOptions,
): Promise<string[] | undefined> {
  const args = ["-c", "core.fsmonitor=false", "ls-files", "-z", ...which, "--others", "--exclude-standard"];
  const output = await gitOutput({ command: "git", args, cwd, env, timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES });
  return output?.split("\0").filter(Boolean);
}

import { realpath } from "node:fs/promises";
import { gitOutput } from "@harness/host";
import { findFiles } from "@harness/tools";
import { gitEnv } from "./git-env.ts";
import { findRepository } from "./git-state.ts";

const MAX_OUTPUT_BYTES = 64 << 20;
const MAX_FILES = 100_000;
const TIMEOUT_MS = 5_000;

/** `new`: only those that git does not track. */
export type ListOptions = { which?: "all" | "new"; env: Readonly<Record<string, string>>; timeoutMs?: number };

/**
 * The files below a folder that git does not ignore, by paths from there. It reads its index and patterns, and runs no
 * program. Undefined outside a repository, and if git fails.
 */
export async function gitFiles(cwd: string, options: ListOptions): Promise<string[] | undefined> {
  const { which = "all", env, timeoutMs = TIMEOUT_MS } = options;
  const tracked = which === "all" ? ["--cached"] : [];
  const args = ["-c", "core.fsmonitor=false", "ls-files", "-z", ...tracked, "--others", "--exclude-standard"];
  const output = await gitOutput({ command: "git", args, cwd, env, timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES });
  return output?.split("\0").filter(Boolean);
}

/** The files of a folder: those of git, or without a repository all that the search tools would find. */
export async function filesOf(cwd: string): Promise<string[]> {
  const repository = await findRepository(cwd);
  const files = (await gitFiles(cwd, { env: gitEnv(repository?.root ?? cwd) })) ?? (await walk(cwd));
  return files.slice(0, MAX_FILES);
}

async function walk(cwd: string): Promise<string[]> {
  const base = await realpath(cwd).catch(() => cwd);
  const patterns = ["**/*", "!**/__pycache__"];
  const { files } = await findFiles({ base, patterns, cwd: base, signal: AbortSignal.timeout(TIMEOUT_MS) });
  return files;
}

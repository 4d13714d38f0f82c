import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathOutside } from "@harness/gate";
import { DEFAULT_PATH, quietGit, realPathOrSame, runGit, settingVariables } from "@harness/host";
import { GitError } from "../checkpoints/store-git.ts";

const MAX_OUTPUT_BYTES = 1 << 20;

/** No program named by a repository's configuration may run. */
const switchedOff = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["safe.bareRepository", "explicit"],
] as const;

const passedOn = ["HOME", "XDG_CONFIG_HOME", "TMPDIR"];

/**
 * Runs git in one of the user's repositories and returns its output; throws `GitError`. Uses the git in `PATH`, but
 * none from the repository.
 */
export async function repositoryGit(cwd: string, args: readonly string[]): Promise<string> {
  const env: Record<string, string> = { ...quietGit, ...settingVariables(switchedOff), LC_ALL: "C" };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  env.PATH = pathOutside(process.env.PATH ?? "", [cwd], realPathOrSame) || DEFAULT_PATH;
  const run = { command: "git", args, cwd, env, maxOutputBytes: MAX_OUTPUT_BYTES };
  const { code, message, output } = await runGit(run).catch((error: Error) => {
    throw new GitError(`git cannot be started: ${error.message}.`);
  });
  if (code === 0) return output.toString("utf8");
  const line = message.split("\n").findLast((each) => /^(?:fatal|error): /.test(each)) ?? message;
  throw new GitError(`git ${args[0]} failed: ${line.replace(/^(?:fatal|error): /, "").trim()}`, message);
}

/** The nearest folder that has a `.git`, from the folder itself upward. */
export function repositoryRoot(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false })) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

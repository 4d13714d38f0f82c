import { readdir } from "node:fs/promises";
import { relative, sep } from "node:path";
import type { InstructionFile } from "@harness/core";
import { isWithin } from "@harness/gate";
import type { Result, ServerMethods } from "@harness/protocol";
import type { GitEnvironments } from "../files/git-env.ts";
import { readNewCommits } from "../files/new-commits.ts";
import { readProjectFacts } from "../files/project-facts.ts";

export type Overview = Result<ServerMethods, "workspace/overview">;

type OverviewDeps = {
  instructionFiles(): Promise<readonly InstructionFile[]>;
  gitEnvironments: GitEnvironments;
  home: string;
};

/** The state of a folder for a returning user: the files that instruct the agent, and the commits since then. */
export async function readOverview(cwd: string, since: string | undefined, deps: OverviewDeps): Promise<Overview> {
  const { instructionFiles, gitEnvironments, home } = deps;
  const [files, facts, names, commits] = await Promise.all([
    instructionFiles(),
    readProjectFacts(cwd),
    readdir(cwd).catch(() => undefined),
    since === undefined ? undefined : readNewCommits(cwd, since, gitEnvironments),
  ]);
  const instructions = files.map(({ path, untrusted }) => ({
    path: shownPath(path, cwd, home),
    ...(untrusted && { untrusted }),
  }));
  const testCommand = facts?.commands.test?.split(", ")[0];
  const isEmpty = names?.every((name) => name.startsWith("."));
  return {
    instructions,
    ...(commits && { commits }),
    ...(testCommand && { testCommand }),
    ...(isEmpty && { isEmpty }),
  };
}

function shownPath(path: string, cwd: string, home: string): string {
  if (isWithin(path, cwd)) return relative(cwd, path);
  return isWithin(path, home) ? `~${sep}${relative(home, path)}` : path;
}

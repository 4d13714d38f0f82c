import { relative, sep } from "node:path";
import type { InstructionFile } from "@harness/core";
import { isBelow } from "@harness/gate";
import type { Result, ServerMethods } from "@harness/protocol";
import type { Bootstrap } from "../bootstrap.ts";
import type { GitEnvironments } from "../files/git-env.ts";
import { readNewCommits } from "../files/new-commits.ts";
import type { FolderTexts } from "./folder-texts.ts";

export type Overview = Result<ServerMethods, "workspace/overview">;

type OverviewDeps = {
  instructionFiles(cwd: string): Promise<readonly InstructionFile[]>;
  gitEnvironments: GitEnvironments;
  home: string;
};

/** The overview of each folder, with the instruction files that its settings name. */
export function folderOverview(
  { settings, machine: { home } }: Pick<Bootstrap, "settings" | "machine">,
  texts: (cwd: string) => Pick<FolderTexts, "instructionFiles">,
  gitEnvironments: GitEnvironments,
): (cwd: string, since: string | undefined) => Promise<Overview> {
  const instructionFiles = (cwd: string) => texts(cwd).instructionFiles(settings.live(cwd).values.project_md_files);
  return (cwd, since) => readOverview(cwd, since, { instructionFiles, gitEnvironments, home });
}

/** What a person finds in a folder on coming back to it: the files that instruct the agent, and what was committed meanwhile. */
export async function readOverview(cwd: string, since: string | undefined, deps: OverviewDeps): Promise<Overview> {
  const { instructionFiles, gitEnvironments, home } = deps;
  const [files, commits] = await Promise.all([
    instructionFiles(cwd),
    since === undefined ? undefined : readNewCommits(cwd, since, gitEnvironments),
  ]);
  const instructions = files.map(({ path, untrusted }) => ({
    path: shownPath(path, cwd, home),
    ...(untrusted && { untrusted }),
  }));
  return { instructions, ...(commits && { commits }) };
}

function shownPath(path: string, cwd: string, home: string): string {
  if (isBelow(path, cwd)) return relative(cwd, path);
  return isBelow(path, home) ? `~${sep}${relative(home, path)}` : path;
}

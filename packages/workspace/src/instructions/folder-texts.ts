import { basename, dirname } from "node:path";
import type { RequestSources } from "@harness/core";
import type { Bootstrap } from "../bootstrap.ts";
import type { GitEnvironments } from "../files/git-env.ts";
import { readWorkspaceFacts } from "../files/workspace-facts.ts";
import { InstructionFolders } from "./instruction-files.ts";
import { readPinnedFile } from "./pinned-file.ts";
import { readFragments } from "./prompt-fragments.ts";

/** What the files of a folder put into the system text. */
export type FolderTexts = Pick<
  RequestSources,
  "workspace" | "instructionFiles" | "instructionsBelow" | "promptFragments" | "pinnedFile"
>;

export function folderTexts(
  { machine, configPaths, trust, sources }: Pick<Bootstrap, "machine" | "configPaths" | "trust" | "sources">,
  gitEnvironments: GitEnvironments,
): (cwd: string) => FolderTexts {
  const instructions = new InstructionFolders({
    configFolder: configPaths.root,
    home: machine.home,
    isUntrusted: (cwd, file) => trust.isUntrusted(cwd, file),
    besideSources: (cwd) =>
      sources.at(cwd).sources.flatMap(({ folder }) => (basename(folder) === ".harness" ? [dirname(folder)] : [])),
  });
  return (cwd) => ({
    workspace: (other = cwd) => readWorkspaceFacts(other, gitEnvironments),
    instructionFiles: (named) => instructions.at(cwd, named),
    instructionsBelow: (folders, other) => instructions.below(other, folders),
    pinnedFile: readPinnedFile,
    promptFragments: () => readFragments(sources.at(cwd).of("prompt"), configPaths.root),
  });
}

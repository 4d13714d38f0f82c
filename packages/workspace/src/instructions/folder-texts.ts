import { basename, dirname } from "node:path";
import type { RequestSources } from "@harness/core";
import type { GitEnvironments } from "../files/git-env.ts";
import { readWorkspaceFacts } from "../files/workspace-facts.ts";
import type { FolderSettings } from "../settings/folder-settings.ts";
import type { FolderSources } from "../sources/folder-sources.ts";
import type { FolderTrust } from "../trust/folder-trust.ts";
import { type Overview, readOverview } from "./folder-overview.ts";
import { InstructionFiles } from "./instruction-files.ts";
import { readPinnedFile } from "./pinned-file.ts";
import { readFragments } from "./prompt-fragments.ts";

/** The texts from a folder's files for the system text, and their overview for people. */
export type FolderTexts = Pick<
  RequestSources,
  "workspace" | "instructionFiles" | "instructionsBelow" | "promptFragments" | "pinnedFile"
> & {
  /** `since`: the user's last visit, as an ISO date. */
  overview(since: string | undefined): Promise<Overview>;
};

type FolderTextsOptions = {
  places: { configFolder: string; home: string };
  settings: Pick<FolderSettings, "values">;
  trust: Pick<FolderTrust, "isUntrusted">;
  sources: Pick<FolderSources, "current">;
  git: GitEnvironments;
  /** The texts of another folder: a subagent may work in a worktree. */
  textsOf(folder: string): Pick<FolderTexts, "instructionsBelow">;
};

export function folderTexts(folder: string, options: FolderTextsOptions): FolderTexts {
  const { places, settings, trust, sources, git, textsOf } = options;
  const instructions = new InstructionFiles(folder, {
    ...places,
    isUntrusted: (file) => trust.isUntrusted(file),
    besideSources: () =>
      sources.current.sources.flatMap((source) =>
        basename(source.folder) === ".harness" ? [dirname(source.folder)] : [],
      ),
  });
  const instructionFiles = (named?: readonly string[]) => instructions.read(named);
  return {
    workspace: (other = folder) => readWorkspaceFacts(other, git),
    instructionFiles,
    instructionsBelow: (folders, other) =>
      other === folder ? instructions.below(folders) : textsOf(other).instructionsBelow(folders, other),
    pinnedFile: readPinnedFile,
    promptFragments: () => readFragments(sources.current.of("prompt"), places.configFolder),
    overview: (since) =>
      readOverview(folder, since, {
        instructionFiles: () => instructionFiles(settings.values.project_md_files),
        gitEnvironments: git,
        home: places.home,
      }),
  };
}

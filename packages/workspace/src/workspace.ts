import type { Egress } from "@harness/core";
import type { IndexGroup } from "@harness/search";
import type { Redactor } from "@harness/storage";
import type { FolderAgents } from "./agents/folder-agents.ts";
import type { FolderCommands } from "./commands/folder-commands.ts";
import type { WorkspaceFiles } from "./files/workspace-files.ts";
import type { FolderHooks } from "./hooks/folder-hooks.ts";
import type { FolderTexts } from "./instructions/folder-texts.ts";
import type { FolderMcp } from "./mcp/folder-mcp.ts";
import type { FolderRules } from "./permissions/folder-rules.ts";
import type { FolderSettings } from "./settings/folder-settings.ts";
import type { FolderSkills } from "./skills/folder-skills.ts";
import type { FolderSources } from "./sources/folder-sources.ts";
import type { FolderTools } from "./tools/folder-tools.ts";
import type { RunFiles } from "./tools/run-files.ts";
import type { FolderTrust } from "./trust/folder-trust.ts";

/**
 * A folder with everything that applies in it. A record: operations on a part are methods of that part. Sessions,
 * handlers and slash commands are given one; core and the adapters have their own ports and never see it.
 */
export type Workspace = {
  /** Its real path. */
  readonly folder: string;
  readonly settings: FolderSettings;
  readonly safety: Safety;
  readonly files: WorkspaceFiles;
  readonly brought: WorkspaceExtensions;
  readonly texts: FolderTexts;
  /** The index that searches of its code ask. */
  readonly index: IndexGroup;
};

/** The user's protection in a folder. */
export type Safety = {
  readonly trust: FolderTrust;
  readonly rules: FolderRules;
  readonly egress: Egress;
  /** The files that something runs by itself. */
  readonly runFiles: RunFiles;
  /** Hides all currently known secrets, including those of the folder's `.env` files. */
  redactor(): Redactor;
};

/** The user's extensions for a folder: looked up again, cheaply, at each access. */
export type WorkspaceExtensions = {
  readonly sources: FolderSources;
  readonly agents: FolderAgents;
  readonly skills: FolderSkills;
  readonly commands: FolderCommands;
  readonly tools: FolderTools;
  readonly mcp: FolderMcp;
  readonly hooks: FolderHooks;
};

import type { Definitions, ReadAgent, ReadCommand, ReadSkill, SourceInventory } from "@harness/extensions";
import type { IndexProgress } from "@harness/protocol";
import { inspectEnv } from "@harness/providers/env";
import {
  type CodeSearchEngine,
  type EmbedderSource,
  type FolderIndex,
  IndexGroup,
  type RerankerSource,
  ResultReranker,
  type StoreSource,
} from "@harness/search";
import { FolderAgents } from "./agents/folder-agents.ts";
import type { Bootstrap } from "./bootstrap.ts";
import { searchFolders } from "./collections/search-folders.ts";
import { FolderCommands } from "./commands/folder-commands.ts";
import type { ProviderCredentials } from "./credentials/provider-credentials.ts";
import { GitChanges } from "./disk/git-changes.ts";
import { EnvironmentCommand } from "./environment/environment-command.ts";
import { type Executables, FolderPrograms } from "./executables/folder-programs.ts";
import { NewFiles } from "./executables/new-files.ts";
import { type GitEnvironments, gitEnv } from "./files/git-env.ts";
import { findRepository } from "./files/git-state.ts";
import { indexedPaths } from "./files/indexed-paths.ts";
import type { NewFileLines } from "./files/new-file-lines.ts";
import { workspaceFileList } from "./files/workspace-file-list.ts";
import { WorkspaceFiles } from "./files/workspace-files.ts";
import { FolderHooks } from "./hooks/folder-hooks.ts";
import type { HookHost } from "./hooks/hook-host.ts";
import { type FolderTexts, folderTexts } from "./instructions/folder-texts.ts";
import { FolderMcp, type McpOptions } from "./mcp/folder-mcp.ts";
import type { EmbedderCatalog } from "./models/embedder-catalog.ts";
import type { RerankerCatalog } from "./models/reranker-catalog.ts";
import { FolderRules } from "./permissions/folder-rules.ts";
import { EnvFiles } from "./settings/env-files.ts";
import { FolderSettings } from "./settings/folder-settings.ts";
import { FolderSkills } from "./skills/folder-skills.ts";
import { FolderSources } from "./sources/folder-sources.ts";
import { nodeClock } from "./system/node-clock.ts";
import { FolderTools } from "./tools/folder-tools.ts";
import { RunFiles } from "./tools/run-files.ts";
import { FolderTrust } from "./trust/folder-trust.ts";
import type { TrustMemory } from "./trust/trust-memory.ts";
import type { Safety, Workspace, WorkspaceExtensions } from "./workspace.ts";
import type { OpenWorkspace } from "./workspaces.ts";

/** Reactions of the rest of the server to changes. */
export type WorkspaceEvents = {
  /** Rules were added or removed. */
  onRules(): void;
  /** The user has trusted new files. */
  onTrusted(): void;
  /** An MCP server of a folder has changed. */
  onMcp(folder: string): void;
  /** Files of a folder are being indexed. */
  onIndexing(progress: IndexProgress): void;
};

/** Shared by all workspaces. */
export type WorkspaceDeps = {
  base: Bootstrap;
  trust: TrustMemory;
  found: {
    inventory: SourceInventory;
    agents: Definitions<ReadAgent>;
    skills: Definitions<ReadSkill>;
    commands: Definitions<ReadCommand>;
    executables: Executables;
  };
  /** Programs that run next to harness for a folder. */
  programs: { hooks: HookHost; mcp: McpOptions; search: CodeSearchEngine };
  disk: {
    git: GitEnvironments;
    newFileLines: NewFileLines;
    /** Folders in the home folder in which the user's shell finds programs. */
    searchPath(): readonly string[];
  };
  /** Created after the workspaces, and only requested when needed. */
  late: {
    credentials(): ProviderCredentials;
    embedders(): EmbedderCatalog;
    rerankers(): RerankerCatalog;
    /** The texts of another folder. */
    textsOf(folder: string): FolderTexts;
  };
  events: WorkspaceEvents;
};

/** Creates the workspace of a real path. Starts nothing and reads no file: each part looks when it is asked. */
export function workspaceOf(folder: string, deps: WorkspaceDeps): OpenWorkspace {
  const { base, disk, late, events } = deps;
  const trust = new FolderTrust(folder, deps.trust);
  const settings = settingsOf(folder, deps, trust);
  const sources = new FolderSources(folder, deps.found.inventory);
  const { home } = base.machine;
  const { git, newFileLines, searchPath } = disk;
  const { configPaths, stamps } = base;
  const safety: Safety = {
    trust,
    rules: new FolderRules(
      folder,
      { configPaths, clock: nodeClock, stamps, ruleTools: () => brought.tools.forRules, changed: events.onRules },
      { settings, trust },
    ),
    egress: base.egress.guarding(() => settings.values.local_only),
    runFiles: new RunFiles(folder, { home, searchPath, stamps, sources, settings }),
    redactor: () => late.credentials().redactor(settings.environment.env),
  };
  const index = indexOf(folder, deps, {
    workspace: () => workspace,
    store: storeSource(folder, base, { settings, safety }),
  });
  const brought: WorkspaceExtensions = broughtTo(folder, deps, { settings, safety, sources, index });
  const places = { configFolder: configPaths.root, home };
  const workspace: Workspace = {
    folder,
    settings,
    safety,
    files: new WorkspaceFiles(folder, {
      ...{ base, settings, git, newFileLines, trust, sources },
      changes: new GitChanges(git),
    }),
    brought,
    texts: folderTexts(folder, { places, settings, trust, sources, git, textsOf: late.textsOf }),
    index,
  };
  return {
    workspace,
    async close() {
      workspace.index.close();
      await Promise.all([brought.mcp.close(), workspace.files.diagnostics.close()]);
    },
  };
}

function settingsOf(folder: string, { base }: WorkspaceDeps, trust: FolderTrust): FolderSettings {
  const { machine, configPaths, stamps, settings: store } = base;
  const places = { home: machine.home, configFolder: configPaths.root };
  const envFiles = new EnvFiles(folder, { env: machine.env, places, trust, stamps });
  return new FolderSettings(folder, { store, envFiles, trust });
}

/** The index of the folder, and of those that are searched along with it. */
function indexOf(
  folder: string,
  { programs, late, events }: WorkspaceDeps,
  { workspace, store }: { workspace: () => Workspace; store: StoreSource },
): IndexGroup {
  const embedders: EmbedderSource = {
    get wanted() {
      return late.embedders().wanted(workspace());
    },
    open: (name, signal) => late.embedders().open(name, workspace(), signal),
  };
  const open = (each: string) =>
    programs.search.index(each, {
      paths: () => indexedPaths(each),
      watch: async (onChange) => (await findRepository(each)) && workspaceFileList.watch(each, onChange),
      gitEnv: gitEnv(each),
      onProgress: (progress) => events.onIndexing({ ...progress, cwd: folder }),
      embedders,
      clock: nodeClock,
      store,
    });
  const others = new Map<string, FolderIndex>();
  const opened = () =>
    searchFolders(folder, workspace().settings.values).map(({ folder: other, name }) => {
      const index = others.get(other) ?? open(other);
      others.set(other, index);
      return { folder: other, name, index };
    });
  const rerankers: RerankerSource = {
    get wanted() {
      return late.rerankers().wanted(workspace());
    },
    open: (name) => late.rerankers().open(name, workspace()),
  };
  return new IndexGroup(open(folder), opened, new ResultReranker(rerankers, nodeClock));
}

/** The store of indexes. The variables are the user's alone: a project has no say in who gets which key. */
function storeSource(
  folder: string,
  { machine, configPaths }: Bootstrap,
  { settings, safety }: { settings: FolderSettings; safety: Safety },
): StoreSource {
  const places = { home: machine.home, configFolder: configPaths.root };
  return {
    get address() {
      return settings.values.index_store;
    },
    egress: safety.egress,
    variable: (name) => inspectEnv(folder, machine.env, { ...places, isTrusted: () => false }).env[name],
  };
}

type FolderBasics = { settings: FolderSettings; safety: Safety; sources: FolderSources; index: IndexGroup };

function broughtTo(
  folder: string,
  deps: WorkspaceDeps,
  { settings, safety, sources, index }: FolderBasics,
): WorkspaceExtensions {
  const { base, found, programs: shared, late, events } = deps;
  const { credentials } = late;
  const { trust, rules, egress, redactor } = safety;
  const { env, home } = base.machine;
  const { executables } = found;
  const environmentCommand = new EnvironmentCommand(folder, {
    env,
    home,
    stamps: base.stamps,
    settings: () => settings.current,
    environment: executables.environment,
    hide(text, secrets) {
      credentials().redactor(secrets);
      return redactor().hide(text);
    },
  });
  const programs = new FolderPrograms(folder, executables, environmentCommand);
  const tools: FolderTools = new FolderTools({
    env,
    settings,
    programs,
    web: { egress, credentials, policies: () => rules.policies.current() },
    redactor,
    folder: {
      code: index,
      newFiles: () => new NewFiles(folder, { sources, tools: programs, trust, onTrusted: events.onTrusted }),
    },
    everyTool: () => executables.tools.everyName().map((name) => ({ name })),
  });
  return {
    sources,
    agents: new FolderAgents(folder, {
      configFolder: base.configPaths.root,
      definitions: found.agents,
      sources,
      trust,
      tools: () => tools.listed,
    }),
    skills: new FolderSkills(folder, found.skills),
    commands: new FolderCommands(folder, found.commands, executables.commands),
    tools,
    mcp: new FolderMcp(folder, shared.mcp, { settings, sources, egress, onChanged: () => events.onMcp(folder) }),
    hooks: new FolderHooks(folder, shared.hooks, { settings, trust, sources, environmentCommand, redactor }),
  };
}

import { join } from "node:path";
import { agentForm, commandForm, Definitions, SourceInventory, skillForm } from "@harness/extensions";
import { CodeSearchEngine } from "@harness/search";
import { openMcpLogins, openMcpStore } from "@harness/storage";
import type { Bootstrap } from "./bootstrap.ts";
import type { ProviderCredentials } from "./credentials/provider-credentials.ts";
import { programEnvironmentOf } from "./environment/program-environment.ts";
import { openExecutables } from "./executables/open-executables.ts";
import { GitEnvironments } from "./files/git-env.ts";
import { NewFileLines } from "./files/new-file-lines.ts";
import { HookHost } from "./hooks/hook-host.ts";
import type { McpOptions } from "./mcp/folder-mcp.ts";
import { McpLogs } from "./mcp/mcp-logs.ts";
import type { EmbedderCatalog } from "./models/embedder-catalog.ts";
import type { RerankerCatalog } from "./models/reranker-catalog.ts";
import { type WorkspaceDeps, type WorkspaceEvents, workspaceOf } from "./open-workspace.ts";
import { nodeClock } from "./system/node-clock.ts";
import { programFolders } from "./tools/run-files.ts";
import { ownServerNames } from "./trust/own-server-names.ts";
import { TrustMemory } from "./trust/trust-memory.ts";
import type { Workspace } from "./workspace.ts";
import { Workspaces } from "./workspaces.ts";

export type OpenWorkspacesOptions = {
  version: string;
  /** The hash of the server folder's content, which the user trusts while this server runs. */
  trustedHash?: string | undefined;
  /** The process-wide credentials, requested only after everything is put together. */
  credentials(): ProviderCredentials;
  embedders(): EmbedderCatalog;
  rerankers(): RerankerCatalog;
  events: WorkspaceEvents;
};

/** The workspaces, and their shared parts for callers without a folder. */
export type OpenedWorkspaces = {
  workspaces: Workspaces;
  hooks: HookHost;
  mcpLogs: McpLogs;
  search: CodeSearchEngine;
};

/** Assembles the parts of workspaces. Reads nothing of a folder, except to compare `trustedHash`. */
export function openWorkspaces(base: Bootstrap, options: OpenWorkspacesOptions): OpenedWorkspaces {
  const { machine, configPaths, stamps, settings, report } = base;
  const { home, cwd, env } = machine;
  const { version, credentials, embedders, rerankers } = options;
  const at = (folder: string): Workspace => workspaces.at(folder);
  const trust = new TrustMemory({
    configPaths,
    home,
    clock: nodeClock,
    stamps,
    ownServers(folder) {
      const { brought, settings: own } = at(folder);
      return ownServerNames(brought.sources.current.entries, own.values.mcp_servers);
    },
  });
  const inventory = inventoryOf(base, at);
  const environment = programEnvironmentOf({
    version,
    configPaths,
    env,
    at: (folder) => ({ settings: at(folder).settings, sources: at(folder).brought.sources }),
  });
  const hooks = new HookHost({
    version,
    configPaths,
    sources: inventory,
    now: nodeClock.now,
    hide: (text) => workspaces.own.safety.redactor().hide(text),
    report,
  });
  const mcpLogs = new McpLogs(configPaths.logs);
  const search = new CodeSearchEngine(join(configPaths.cache, "search"), env);
  let searchPath: readonly string[] | undefined;
  const deps: WorkspaceDeps = {
    base,
    trust,
    found: {
      inventory,
      agents: new Definitions(inventory, agentForm),
      skills: new Definitions(inventory, skillForm),
      commands: new Definitions(inventory, commandForm),
      executables: openExecutables({ configPaths, sources: inventory, environment, report }),
    },
    programs: { hooks, mcp: { version, logs: mcpLogs, kept: keptOfMcp(base, credentials) }, search },
    disk: {
      git: new GitEnvironments(),
      newFileLines: new NewFileLines(),
      searchPath() {
        searchPath ??= programFolders(home, env.PATH);
        return searchPath;
      },
    },
    late: { credentials, embedders, rerankers, textsOf: (folder) => at(folder).texts },
    events: options.events,
  };
  const workspaces: Workspaces = new Workspaces({
    open: (folder) => workspaceOf(folder, deps),
    watch: settings.watch,
    own: cwd,
    clock: nodeClock,
  });
  if (options.trustedHash !== undefined) workspaces.own.safety.trust.trustForNow(options.trustedHash);
  return { workspaces, hooks, mcpLogs, search };
}

/** The user's extensions for all folders. An adapter knows folders, not workspaces. */
function inventoryOf({ machine, configPaths, stamps }: Bootstrap, at: (folder: string) => Workspace): SourceInventory {
  const inventory = new SourceInventory({
    places: { home: machine.home, configFolder: configPaths.root },
    stamps,
    trust: {
      standing: (folder, file) => at(folder).safety.trust.standing(file),
      isTrusted: (folder, file) => at(folder).safety.trust.isTrusted(file),
      hasLapsed: (folder, file) => at(folder).safety.trust.hasLapsed(file),
      leadsOut: (folder, file) => at(folder).safety.trust.leadsOut(file),
    },
    chosenProvider: (folder) => at(folder).settings.values.provider,
  });
  inventory.chooseBy({
    folders: (folder) => at(folder).brought.hooks.outer.folders,
    isScoped: (folder) => at(folder).brought.hooks.outer.scopesSources,
  });
  return inventory;
}

/** Data about MCP servers that is kept between runs. */
function keptOfMcp({ configPaths }: Bootstrap, credentials: () => ProviderCredentials): McpOptions["kept"] {
  return {
    servers: openMcpStore(configPaths),
    logins: openMcpLogins(configPaths, nodeClock),
    redactor: (variables) => credentials().redactor(variables),
  };
}

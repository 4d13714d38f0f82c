import type {
  ClientBuffers,
  LiveTools,
  LogLocation,
  RequestSources,
  SessionExtensions,
  SessionHeader,
  SessionPorts,
} from "@harness/core";
import type { Clock, GateSettings, Paths, SessionRules } from "@harness/gate";
import type { PermissionMode, SessionConfig } from "@harness/protocol";
import {
  BackgroundProcesses,
  changedSince,
  createShellGrammar,
  diskReview,
  FileBuffers,
  type Sandbox,
  UnsavedFiles,
} from "@harness/tools";
import { namedInGit } from "../files/named-in-git.ts";
import type { McpAsked } from "../mcp/mcp-configs.ts";
import type { McpServers } from "../mcp/mcp-servers.ts";
import { SessionMcp } from "../mcp/session-mcp.ts";
import type { ModelCatalog } from "../models/model-catalog.ts";
import type { SessionSandboxes } from "../tools/session-sandbox.ts";
import type { Workspace } from "../workspace.ts";

/** Shared by the sessions of all workspaces. */
export type SessionDeps = {
  clock: Clock;
  paths: Paths;
  sandboxes: SessionSandboxes;
  models: Pick<ModelCatalog, "choose">;
};

/** The session that the resources are for, as far as its request and its state say. */
export type SessionNeeds = {
  header: SessionHeader;
  /** Undefined: it leaves nothing behind. */
  location: LogLocation | undefined;
  rules: SessionRules;
  permissionMode: PermissionMode;
  /** Folders that its client asked for, in addition to those of the settings. */
  additionalDirectories: readonly string[];
  mcp: McpAsked | undefined;
  /** The files that its clients have open; undefined: it has none. */
  buffers: ClientBuffers | undefined;
  /** The session's current choices, and warnings for the user; the session is still being opened. */
  live: { config(): SessionConfig; warn(title: string, description: string): void };
};

/** A session's part of its workspace: its ports, and resources that end with it. */
export type SessionResources = {
  readonly gate: Omit<SessionPorts["gate"], "asker" | "audit">;
  readonly tools: LiveTools;
  readonly files: SessionPorts["files"];
  readonly requests: Omit<RequestSources, "today" | "spentToday" | "modePrompts" | "watchSent" | "watchBeside">;
  readonly extensions: SessionExtensions;
  readonly running: {
    sandbox: Sandbox;
    processes: BackgroundProcesses;
    servers: McpServers;
    mcp: SessionMcp;
    buffers: FileBuffers;
  };
};

// Shared by all sessions; loads nothing before a command needs it.
const grammar = createShellGrammar();

/** Starts nothing: MCP servers and the sandbox start when the session asks for them. */
export function sessionResources(workspace: Workspace, deps: SessionDeps, needs: SessionNeeds): SessionResources {
  const { brought, safety, texts } = workspace;
  const { header, location, additionalDirectories, live } = needs;
  const { cwd } = header;
  const ephemeral = location === undefined;
  const sandbox = deps.sandboxes.create(workspace, needs.permissionMode);
  const processes = new BackgroundProcesses({ canKeep: !ephemeral, settings: encodingSettings(workspace) });
  const servers = brought.mcp.servers(needs.mcp);
  const mcp = new SessionMcp({ folder: servers, clock: deps.clock, waitMs: () => brought.mcp.waitMs });
  const gateSettings = () => gateSettingsOf(workspace, additionalDirectories);
  const roots = () => [cwd, ...gateSettings().additionalDirectories];
  const buffers = new FileBuffers(needs.buffers, roots);
  return {
    gate: {
      paths: { ...deps.paths, git: namedInGit(roots) },
      policies: safety.rules.policies,
      grammar,
      sandbox,
      gateSettings,
    },
    tools: brought.tools.of({
      ...live,
      rules: needs.rules,
      sandbox,
      processes,
      buffers,
      sessionFolder: location?.folder,
      mcp,
      serverTools: workspace.files.diagnostics.tools(encodingSettings(workspace), buffers),
    }),
    files: {
      changedSince: (path, seen) => changedSince(path, seen, buffers),
      buffers: new UnsavedFiles(buffers),
      review: diskReview({ outlasts: !ephemeral, cwd, buffers }),
      // A session that leaves nothing behind keeps no files either.
      checkpoints: ephemeral ? undefined : workspace.files.checkpoints(roots),
      worktrees: ephemeral ? undefined : workspace.files.worktrees(header),
      endProcesses: (agentIds, by) => processes.endOf(agentIds, by),
      editChecks: workspace.files.diagnostics.checks({ sandbox, roots, commands: brought.tools.commands(live) }),
    },
    requests: {
      chooseModel: (config) => deps.models.choose(workspace, config),
      workspace: (other = cwd) => texts.workspace(other),
      instructionFiles: texts.instructionFiles,
      instructionsBelow: texts.instructionsBelow,
      promptFragments: texts.promptFragments,
      repositoryMap: () => workspace.index.map(),
      pinnedFile: texts.pinnedFile,
      agents: () => brought.agents.current,
      skills: brought.skills.source,
    },
    extensions: brought.hooks.extensions({ header, location }),
    running: { sandbox, processes, servers, mcp, buffers },
  };
}

/** Read for each output. */
function encodingSettings({ settings }: Workspace): { readonly fileEncoding: string } {
  return {
    get fileEncoding() {
      return settings.values.file_encoding;
    },
  };
}

/** The settings of the gate, plus the folders that a client asked for. Read for each call. */
function gateSettingsOf({ settings, brought, safety }: Workspace, more: readonly string[]): GateSettings {
  const { gate } = settings;
  return {
    ...gate,
    readableFolders: brought.skills.folders,
    runFiles: safety.runFiles.withProgramFolders,
    ...(more.length > 0 && { additionalDirectories: [...gate.additionalDirectories, ...more] }),
  };
}

import { join } from "node:path";
import {
  type Checkpoints,
  type LiveSession,
  type LiveTools,
  type ModePrompts,
  openSession,
  type ProcessChange,
  type RequestSources,
  type Runtime,
  type SessionExtensions,
  type SessionLog,
  type SessionOptions,
  type SessionPorts,
  type Worktrees,
} from "@harness/core";
import type { Asker, AuditLog, GateSettings, Paths, Policies } from "@harness/gate";
import { localTime, type PermissionMode } from "@harness/protocol";
import type { Redactor } from "@harness/storage";
import { BackgroundProcesses, changedSince, createShellGrammar, diskReview, type Sandbox } from "@harness/tools";
import {
  blankOrRemove,
  type McpAsked,
  type McpFolder,
  namedInGit,
  SessionMcp,
  type SessionToolOptions,
} from "@harness/workspace";
import type { SentRequests } from "../inspection/sent-requests.ts";
import type { LiveEntry } from "./live-entry.ts";
import type { AskedOfSession } from "./session-options.ts";

/** The parts of a session that its folder decides. */
export type FolderDeps = {
  tools: {
    of(cwd: string, options: SessionToolOptions): LiveTools;
    /** The MCP servers there, shared by sessions that have asked for the same. */
    mcp(cwd: string, asked: McpAsked | undefined): { folder: McpFolder; waitMs(): number };
  };
  /** A sandbox for one session, started when it is first needed. */
  sandbox(cwd: string, permissionMode: PermissionMode): Sandbox;
  gate: {
    policies(cwd: string): Policies;
    /** Read for each call, so that changed settings apply at once. */
    settings(cwd: string): GateSettings;
  };
  files: {
    /** `roots`: the folders whose files are kept, the session's first. */
    checkpoints(cwd: string, roots: () => readonly string[]): Checkpoints;
    worktrees(header: SessionLog["header"]): Worktrees;
    /** Where a session is stored. */
    ofSession(sessionId: string): string;
  };
  /** The extensions of a session's turns. */
  extensions(session: { header: SessionLog["header"]; ephemeral: boolean }): SessionExtensions;
  /** The sources of requests there. */
  requests(cwd: string): Omit<RequestSources, "today" | "modePrompts" | "watchSent">;
  /** With the secrets that are known now. */
  redactor(cwd: string): Redactor;
};

type SessionFactoryDeps = {
  runtime: Runtime;
  paths: Paths;
  audit: AuditLog;
  folder: FolderDeps;
  /** For stored sessions, and for those that leave nothing behind. */
  modePrompts: Readonly<Record<"stored" | "ephemeral", ModePrompts>>;
  sent: SentRequests;
};

export type SessionStart = {
  log: SessionLog;
  options: SessionOptions;
  asked: AskedOfSession & { ephemeral?: boolean };
};

/** The session's way to its clients. */
type SessionEnds = Pick<SessionPorts, "emit"> & { asker: Asker };

export type SessionFactory = (
  start: SessionStart,
  ends: SessionEnds,
) => Pick<LiveEntry, "session" | "sandbox" | "processes" | "mcp" | "hide" | "transcriptPath">;

/** Opens sessions on their logs. */
export function sessionFactory({
  runtime,
  paths,
  audit,
  folder,
  modePrompts,
  sent,
}: SessionFactoryDeps): SessionFactory {
  // Shared by all sessions; loads nothing before a command needs it.
  const grammar = createShellGrammar();
  return ({ log, options, asked }, { asker, emit }) => {
    const { cwd } = log.header;
    const { additionalDirectories: more = [], ephemeral = false } = asked;
    const sandbox = folder.sandbox(cwd, asked.config?.permissionMode ?? options.values().permission_mode);
    const processes = new BackgroundProcesses({ canKeep: !ephemeral });
    const servers = folder.tools.mcp(cwd, asked.mcp);
    const mcp = new SessionMcp({ ...servers, clock: runtime.clock });
    const hide = (text: string) => folder.redactor(cwd).hide(text);
    const gateSettings = () => withFolders(folder.gate.settings(cwd), more);
    const roots = () => [cwd, ...gateSettings().additionalDirectories];
    const sessionFolder = ephemeral ? undefined : folder.files.ofSession(log.header.sessionId);
    // Its tools are asked for while it is being opened.
    let opened: LiveSession | undefined;
    const session = openSession(
      {
        log,
        runtime,
        gate: {
          asker,
          paths: { ...paths, git: namedInGit(roots) },
          policies: folder.gate.policies(cwd),
          audit,
          grammar,
          sandbox,
          gateSettings,
        },
        tools: folder.tools.of(cwd, {
          rules: options.rules,
          sandbox,
          processes,
          sessionFolder,
          config: () => opened?.state.config ?? {},
          mcp,
          warn: (title, description) => opened?.warn(title, description),
        }),
        files: {
          changedSince,
          review: diskReview({ outlasts: !ephemeral, cwd }),
          // A session that leaves nothing behind keeps no files either.
          checkpoints: ephemeral ? undefined : folder.files.checkpoints(cwd, roots),
          worktrees: ephemeral ? undefined : folder.files.worktrees(log.header),
          endProcesses: (agentIds, by) => processes.endOf(agentIds, by),
        },
        requests: {
          ...folder.requests(cwd),
          today: () => localTime(runtime.clock.now()).date,
          modePrompts: ephemeral ? modePrompts.ephemeral : modePrompts.stored,
          watchSent: (from) => sent.watch(log.header.sessionId, from),
        },
        emit,
      },
      options,
      folder.extensions({ header: log.header, ephemeral }),
    );
    opened = session;
    mcp.open();
    const { state } = session;
    processes.follow(
      (agentId, change) => {
        session.processChanged(agentId, withoutSecrets(change, hide));
        // A log could name any file of the person's as the output of a process.
        const isOver = change.state !== "running" && log.isOwnText(change.outputPath);
        if (isOver) void blankOrRemove(change.outputPath, folder.redactor(cwd));
      },
      [...state.processes.values()],
      (path) => log.isOwnText(path),
    );
    const transcriptPath = sessionFolder === undefined ? undefined : join(sessionFolder, "log.jsonl");
    return { session, sandbox, processes, mcp: servers.folder, hide, transcriptPath };
  };
}

/** The output of a process may hold secrets, like any output. */
function withoutSecrets(change: ProcessChange, hide: (text: string) => string): ProcessChange {
  const { matched, lastLines } = change;
  return {
    ...change,
    ...(matched === undefined ? {} : { matched: hide(matched) }),
    ...(lastLines === undefined ? {} : { lastLines: hide(lastLines) }),
  };
}

/** The folders of the settings, and those that a client asked for besides. */
function withFolders(settings: GateSettings, more: readonly string[]): GateSettings {
  if (more.length === 0) return settings;
  return { ...settings, additionalDirectories: [...settings.additionalDirectories, ...more] };
}

import {
  type LiveSession,
  type LoadedSession,
  type ModePrompts,
  openSession,
  type ProcessChange,
  type RequestSources,
  type Runtime,
  type SessionLog,
  type SessionPorts,
  type StoredSessions,
} from "@harness/core";
import type { Asker, AuditLog } from "@harness/gate";
import { type AgentDefinition, localTime } from "@harness/protocol";
import {
  blankOrRemove,
  RequestFile,
  requestFilePath,
  type SessionDeps,
  type SpendRecorder,
  sessionResources,
  type Workspace,
} from "@harness/workspace";
import type { Client } from "../clients/client.ts";
import { SessionBuffers } from "../clients/session-buffers.ts";
import type { SentRequests } from "../inspection/sent-requests.ts";
import { RequestRecorder } from "../recording/request-recorder.ts";
import type { LiveEntry } from "./live-entry.ts";
import { type AskedOfSession, sessionOptions } from "./session-options.ts";

type BesideRequest = Parameters<RequestSources["watchBeside"]>[0];

export type SessionOpenerOptions = {
  runtime: Runtime;
  audit: AuditLog;
  /** For stored sessions, and for those that leave nothing behind. */
  modePrompts: Readonly<Record<"stored" | "ephemeral", ModePrompts>>;
  watch: {
    sent: SentRequests["watch"];
    beside(sessionId: string, from: BesideRequest): ReturnType<RequestSources["watchBeside"]>;
  };
  spend: Pick<SpendRecorder, "usdToday">;
  stored: Omit<StoredSessions, "hide">;
  share: SessionDeps;
};

export type SessionStart = {
  log: SessionLog;
  workspace: Workspace;
  request: AskedOfSession & { ephemeral?: boolean };
  /** For a session that was begun in an earlier process. */
  loaded?: LoadedSession | undefined;
  /** Its first client gets the facts after this one. */
  untold?: number | undefined;
  /** The named agent of the session. */
  agent?: AgentDefinition | undefined;
};

/** The session's connections to its clients. */
type SessionEnds = Pick<SessionPorts, "emit"> & { asker: Asker; clients: Iterable<Client> };

export type SessionOpener = (
  start: SessionStart,
  ends: SessionEnds,
) => Pick<LiveEntry, "session" | "workspace" | "sandbox" | "processes" | "mcp" | "buffers" | "hide" | "transcriptPath">;

/** Opens sessions on their logs. */
export function sessionOpener({
  runtime,
  audit,
  modePrompts,
  watch,
  spend,
  stored,
  share,
}: SessionOpenerOptions): SessionOpener {
  return ({ log, workspace, request, loaded, agent }, { asker, emit, clients }) => {
    const { header } = log;
    const { additionalDirectories = [], ephemeral = false } = request;
    const { redactor } = workspace.safety;
    const hide = (text: string) => redactor().hide(text);
    const path = requestFilePath(log.savedTexts);
    const recorder = path === undefined ? undefined : recorderOf(path, log, request, runtime);
    const options = sessionOptions(() => workspace.settings.current, request, { loaded, agent });
    // Tools are requested while the session is being opened.
    let opened: LiveSession | undefined;
    const resources = sessionResources(workspace, share, {
      header,
      location: log.location,
      rules: options.rules,
      permissionMode: request.config?.permissionMode ?? options.values().permission_mode,
      additionalDirectories,
      mcp: request.mcp,
      buffers: new SessionBuffers(header.sessionId, clients, runtime.clock),
      live: {
        config: () => opened?.state.config ?? {},
        warn: (title, description) => opened?.warn(title, description),
      },
    });
    const session = openSession(
      {
        log,
        runtime,
        gate: { ...resources.gate, asker, audit },
        tools: resources.tools,
        files: resources.files,
        requests: {
          ...(recorder?.following(resources.requests) ?? resources.requests),
          today: () => localTime(runtime.clock.now()).date,
          spentToday: () => spend.usdToday(),
          modePrompts: ephemeral ? modePrompts.ephemeral : modePrompts.stored,
          watchBeside: (from) => watch.beside(header.sessionId, from),
          watchSent(made) {
            const noted = watch.sent(header.sessionId, made);
            const recorded = recorder?.watch(made);
            return (sent) => {
              recorded?.(sent);
              noted(sent);
            };
          },
        },
        sessions: { ...stored, hide },
        emit,
      },
      options,
      resources.extensions,
    );
    opened = session;
    const { sandbox, processes, servers, mcp, buffers } = resources.running;
    mcp.open();
    processes.follow(
      (agentId, change) => {
        session.processChanged(agentId, withoutSecrets(change, hide));
        // A log could name any of the user's files as the output of a process.
        const isOver = change.state !== "running" && log.isOwnText(change.outputPath);
        if (isOver) void blankOrRemove(change.outputPath, redactor());
      },
      [...session.state.processes.values()],
      (path) => log.isOwnText(path),
    );
    const transcriptPath = log.location?.log;
    return { session, workspace, sandbox, processes, mcp: servers, buffers, hide, transcriptPath };
  };
}

function recorderOf(
  path: string,
  { header: { cwd } }: SessionLog,
  { rules, additionalDirectories = [], customInstructions }: AskedOfSession,
  { report }: Runtime,
): RequestRecorder {
  const { allow = [], deny = [] } = rules ?? {};
  const opening = { allow, deny, additionalDirectories, customInstructions };
  return new RequestRecorder({ file: new RequestFile(path), cwd, opening, report });
}

/** The output of a process may contain secrets, like any output. */
function withoutSecrets(change: ProcessChange, hide: (text: string) => string): ProcessChange {
  const { matched, lastLines } = change;
  return {
    ...change,
    ...(matched === undefined ? {} : { matched: hide(matched) }),
    ...(lastLines === undefined ? {} : { lastLines: hide(lastLines) }),
  };
}

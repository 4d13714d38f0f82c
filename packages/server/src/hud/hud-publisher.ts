import { usableTokens } from "@harness/core";
import {
  type FactKind,
  type Hud,
  type PermissionMode,
  ROOT_AGENT,
  type SessionConfig,
  type SessionUpdate,
  sumAgentChanges,
} from "@harness/protocol";
import type { ModelCatalog, Workspace } from "@harness/workspace";
import type { Client } from "../clients/client.ts";
import { agentsAtWork, type LiveEntry, stateOf } from "../sessions/live-entry.ts";
import type { SessionObserver } from "../sessions/session-observer.ts";
import { GitFollower } from "./git-follower.ts";
import {
  diagnosticsState,
  gitInTime,
  gitState,
  goalState,
  indexingState,
  mcpState,
  modelNotes,
  modelPlace,
  sandboxState,
  type TriedSandbox,
  triedSandbox,
} from "./hud-parts.ts";
import { StatusCommand } from "./status-command.ts";
import { statusInput } from "./status-input.ts";

/** Facts come in bursts: the display is computed once for all facts within this time. */
const SETTLE_MS = 120;

type WatchedSession = {
  entry: LiveEntry;
  status: StatusCommand;
  git: GitFollower;
  timer: NodeJS.Timeout | undefined;
  sent: string;
};

export type HudOptions = {
  models: Pick<ModelCatalog, "choose">;
  sandboxes: { create(workspace: Workspace, permissionMode: PermissionMode): TriedSandbox };
  version: string;
};

/** Facts that change the display, besides those of calls that may have changed files. */
const shown: ReadonlySet<string> = new Set([
  "agent_message",
  "compaction_update",
  "context_update",
  "goal_update",
  "state_update",
  "turn_changes",
  "config_option_update",
  "queue_update",
  "pin_update",
  "staged_update",
] satisfies FactKind[]);

/** Keeps the head-up display of each live session and sends it to the session's clients when it changes. */
export class HudPublisher implements SessionObserver {
  readonly #options: HudOptions;
  readonly #watched = new Map<string, WatchedSession>();
  /** The folder that a client without a session shows, by what ends the client. */
  readonly #followed = new Map<AbortSignal, { workspace: Workspace; git: GitFollower; send(): void }>();

  constructor(options: HudOptions) {
    this.#options = options;
  }

  onOpened(entry: LiveEntry): void {
    const { sessionId } = entry.session;
    const watched: WatchedSession = {
      entry,
      status: new StatusCommand({
        environment: (cwd) => entry.workspace.brought.tools.programs.environment(cwd),
        hide: (text) => entry.hide(text),
        changed: () => this.refresh(sessionId),
      }),
      git: new GitFollower(entry.workspace, () => this.refresh(sessionId)),
      timer: undefined,
      sent: "",
    };
    this.#watched.set(sessionId, watched);
    this.refresh(sessionId, { filesChanged: true });
    const { sandbox } = entry;
    if (sandbox.wanted !== "off") void sandbox.ready().then(() => this.refresh(sessionId));
  }

  see({ sessionId, update }: SessionUpdate): void {
    const { sessionUpdate: kind } = update;
    const hasRun = kind === "tool_call_update" && "outcome" in update && update.outcome !== undefined;
    const filesChanged = hasRun || kind === "rewind_update";
    if (filesChanged || shown.has(kind)) this.refresh(sessionId, { filesChanged });
  }

  onClosed(sessionId: string): void {
    const watched = this.#watched.get(sessionId);
    if (!watched) return;
    clearTimeout(watched.timer);
    watched.git.close();
    watched.status.close();
    this.#watched.delete(sessionId);
  }

  /** Call when a workspace's MCP servers, or its index, have changed. */
  refreshFolder(folder: string): void {
    for (const [sessionId, { entry }] of this.#watched) if (entry.workspace.folder === folder) this.refresh(sessionId);
    for (const { workspace, send } of this.#followed.values()) if (workspace.folder === folder) send();
  }

  /** Call when settings or models may have changed. */
  refreshAll(): void {
    for (const sessionId of this.#watched.keys()) this.refresh(sessionId);
  }

  /** Recomputes the display soon; git is asked only if files may have changed. */
  refresh(sessionId: string, { filesChanged = false } = {}): void {
    const watched = this.#watched.get(sessionId);
    if (!watched) return;
    if (filesChanged) watched.git.outdate();
    watched.timer ??= setTimeout(() => {
      watched.timer = undefined;
      void this.#publish(watched);
    }, SETTLE_MS).unref();
  }

  /** The current display of a live session. */
  async read(sessionId: string): Promise<Hud | undefined> {
    const watched = this.#watched.get(sessionId);
    if (!watched) return undefined;
    watched.git.outdate();
    return this.#compute(watched);
  }

  /**
   * Sends what is shown of a folder to a client whenever files there have changed or are indexed, until the client
   * follows another, opens a session or leaves.
   */
  followFolder({ peer, closed }: Pick<Client, "peer" | "closed">, workspace: Workspace | undefined): void {
    const before = this.#followed.get(closed);
    if (before?.workspace === workspace) return;
    before?.git.close();
    this.#followed.delete(closed);
    if (!workspace || closed.aborted) return;
    const sendNow = async (): Promise<void> => {
      const view = { ...gitState(await git.read()), ...indexingState(workspace.index) };
      peer.notify("hud/folder", { cwd: workspace.folder, ...view }, { droppable: true });
    };
    const send = () => void sendNow();
    const git = new GitFollower(workspace, send);
    this.#followed.set(closed, { workspace, git, send });
    closed.addEventListener("abort", () => this.followFolder({ peer, closed }, undefined), { once: true });
    // The folder is watched from here on; an answer that the preview did not wait for comes later.
    send();
  }

  /** The display of a session that does not exist yet; `config` is the configuration it would get. */
  async preview(workspace: Workspace, config: SessionConfig = {}): Promise<Hud> {
    const { settings, files, safety } = workspace;
    const { permission_mode, preferred_mode } = settings.current.values;
    const permissionMode = config.permissionMode ?? permission_mode;
    const [git, model, sandbox] = await Promise.all([
      gitInTime(files),
      this.#options.models.choose(workspace, config),
      triedSandbox(this.#options.sandboxes.create(workspace, permissionMode)),
    ]);
    const chosen = "problem" in model ? undefined : model;
    return {
      ...gitState(git),
      ...(chosen
        ? {
            ...modelPlace(chosen),
            ...(chosen.price && { price: chosen.price }),
            context: {
              usedTokens: 0,
              ...contextSize(chosen.contextWindow.tokens),
              windowSource: chosen.contextWindow.source,
            },
          }
        : {}),
      ...modelNotes(model),
      ...sandbox,
      ...localOnly(safety.egress),
      ...indexingState(workspace.index),
      permissionMode,
      mode: config.mode ?? preferred_mode,
      agentsRunning: 0,
      queued: 0,
    };
  }

  async #publish(watched: WatchedSession): Promise<void> {
    const { subscribers, session } = watched.entry;
    const listeners = [...subscribers.clients].filter(({ profile }) => !profile?.optOut.has("hud"));
    // git is not asked without listeners: the next client that follows the session gets the display.
    if (listeners.length === 0) {
      watched.sent = "";
      return;
    }
    const hud = await this.#compute(watched);
    this.#offerStatus(watched, hud);
    const text = JSON.stringify(hud);
    if (text === watched.sent) return;
    watched.sent = text;
    for (const { peer } of listeners) {
      peer.notify("hud/update", { sessionId: session.sessionId, hud }, { droppable: true });
    }
  }

  #offerStatus({ entry: { log, session, workspace, transcriptPath }, status }: WatchedSession, hud: Hud): void {
    const { cwd } = log.header;
    const { sessionId, state } = session;
    const { version } = this.#options;
    const input = statusInput({ sessionId, title: state.title, cwd, version, transcriptPath }, hud);
    status.offer({ command: workspace.settings.values.statusline, cwd, input });
  }

  async #compute(watched: WatchedSession): Promise<Hud> {
    const { session, workspace } = watched.entry;
    const git = await watched.git.read();
    const { config } = session.state;
    const model = await this.#options.models.choose(workspace, config);
    const chosen = "problem" in model ? undefined : model;
    const view = session.context();
    const { usedTokens = lastUsedTokens(watched.entry) } = view ?? {};
    const window =
      view ?? (chosen && { windowTokens: chosen.contextWindow.tokens, windowSource: chosen.contextWindow.source });
    const { cost, undo, pinned } = session.state;
    const changes = sumAgentChanges(undo);
    const { prefix, truncated } = view ?? {};
    const pendingEdits = await session.edits.count();
    return {
      ...gitState(git),
      ...(changes.changedFiles > 0 ? { agentChanges: changes } : {}),
      ...(pendingEdits.files > 0 ? { pendingEdits } : {}),
      ...(window
        ? { context: { usedTokens, ...contextSize(window.windowTokens), windowSource: window.windowSource } }
        : {}),
      ...(chosen ? modelPlace(chosen) : {}),
      ...(chosen?.price && { price: chosen.price }),
      ...modelNotes(model),
      ...(cost.usd > 0 || cost.unpricedRequests > 0 ? { cost } : {}),
      ...(prefix ? { prefix } : {}),
      ...(truncated ? { truncated } : {}),
      ...(watched.status.line ? { statusLine: watched.status.line } : {}),
      ...sandboxState(watched.entry.sandbox),
      ...mcpState(watched.entry.mcp),
      ...indexingState(workspace.index),
      ...diagnosticsState(workspace.files),
      ...goalState(session.state),
      ...localOnly(workspace.safety.egress),
      ...(pinned.length > 0 ? { pinned: pinned.length } : {}),
      permissionMode: session.permissionMode,
      mode: session.mode,
      agentsRunning: agentsAtWork(watched.entry) - (stateOf(watched.entry) === "idle" ? 0 : 1),
      queued: session.state.queue.length,
    };
  }
}

function contextSize(windowTokens: number): Pick<NonNullable<Hud["context"]>, "windowTokens" | "usableTokens"> {
  return { windowTokens, usableTokens: usableTokens(windowTokens) };
}

function localOnly(egress: Workspace["safety"]["egress"]): Pick<Hud, "localOnly"> {
  return egress.localOnly ? { localOnly: true } : {};
}

/**
 * For a stored session: the tokens left by its last compaction, or else the provider's count for the last request; 0:
 * no count.
 */
function lastUsedTokens({ session }: LiveEntry): number {
  const { items = [], usage } = session.state.agents.get(ROOT_AGENT) ?? {};
  const last = items.findLast(({ kind }) => kind === "compaction" || kind === "agent");
  return last?.kind === "compaction" ? last.tokensAfter : (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
}

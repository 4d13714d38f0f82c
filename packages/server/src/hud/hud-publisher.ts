import {
  agentChanges,
  type FactKind,
  type Hud,
  ROOT_AGENT,
  type SessionConfig,
  type SessionUpdate,
  type Settings,
} from "@harness/protocol";
import type { EgressGuard } from "../egress/egress-guard.ts";
import type { ModelCatalog } from "../models/model-catalog.ts";
import { agentsAtWork, type LiveEntry, stateOf } from "../sessions/live-entry.ts";
import type { SessionObserver } from "../sessions/session-observer.ts";
import { type GitCounts, readGitCounts } from "../workspace/git-diff-counts.ts";
import type { GitEnvironments } from "../workspace/git-env.ts";
import { watchRepository } from "../workspace/watch-repository.ts";

/** Facts come in bursts: the display is computed once for all facts within this time. */
const SETTLE_MS = 120;

type Watched = {
  entry: LiveEntry;
  git: GitCounts | undefined;
  gitIsOld: boolean;
  timer: NodeJS.Timeout | undefined;
  sent: string;
  /** Ends the watching of the repository; undefined until a display was needed. */
  unwatch: (() => void) | undefined;
};

/** The settings that a new session uses where the request says nothing. */
type HudSettings = Pick<Settings, "permission_mode" | "preferred_mode">;

/** Facts that change what the display shows, besides those of calls that may have changed files. */
const shown: ReadonlySet<string> = new Set([
  "agent_message",
  "compaction_update",
  "context_update",
  "state_update",
  "config_option_update",
  "queue_update",
  "pin_update",
] satisfies FactKind[]);

/** Keeps the head-up display of each live session and sends it to the session's clients when it changes. */
export class HudPublisher implements SessionObserver {
  readonly #models: ModelCatalog;
  readonly #egress: EgressGuard;
  readonly #gitEnvironments: GitEnvironments;
  readonly #watched = new Map<string, Watched>();

  constructor(models: ModelCatalog, egress: EgressGuard, gitEnvironments: GitEnvironments) {
    this.#models = models;
    this.#egress = egress;
    this.#gitEnvironments = gitEnvironments;
  }

  onOpened(entry: LiveEntry): void {
    const { sessionId } = entry.session;
    const watched: Watched = {
      entry,
      git: undefined,
      gitIsOld: true,
      timer: undefined,
      sent: "",
      unwatch: undefined,
    };
    this.#watched.set(sessionId, watched);
    this.#refresh(sessionId, { filesChanged: true });
    const { sandbox } = entry;
    if (sandbox.wanted !== "off") void sandbox.ready().then(() => this.#refresh(sessionId));
  }

  onFact({ sessionId, update }: SessionUpdate): void {
    const { sessionUpdate: kind } = update;
    const hasRun = kind === "tool_call_update" && "outcome" in update && update.outcome !== undefined;
    const filesChanged = hasRun || kind === "rewind_update";
    if (filesChanged || shown.has(kind)) this.#refresh(sessionId, { filesChanged });
  }

  onClosed(sessionId: string): void {
    const watched = this.#watched.get(sessionId);
    if (!watched) return;
    clearTimeout(watched.timer);
    watched.unwatch?.();
    this.#watched.delete(sessionId);
  }

  /** What the display says of a folder has changed: of its MCP servers. */
  refreshFolder(cwd: string): void {
    for (const [sessionId, { entry }] of this.#watched) if (entry.log.header.cwd === cwd) this.#refresh(sessionId);
  }

  /** Computes the display again soon; git is asked only when files may have changed. */
  #refresh(sessionId: string, { filesChanged = false } = {}): void {
    const watched = this.#watched.get(sessionId);
    if (!watched) return;
    watched.gitIsOld ||= filesChanged;
    watched.timer ??= setTimeout(() => {
      watched.timer = undefined;
      void this.#publish(watched);
    }, SETTLE_MS).unref();
  }

  /** The display of a live session right now. */
  async read(sessionId: string): Promise<Hud | undefined> {
    const watched = this.#watched.get(sessionId);
    if (!watched) return undefined;
    watched.gitIsOld = true;
    return this.#compute(watched);
  }

  /** The display of a session that does not exist yet; `config` is the configuration it would get. */
  async preview(cwd: string, settings: HudSettings, config: SessionConfig = {}): Promise<Hud> {
    const [git, model] = await Promise.all([
      readGitCounts(cwd, this.#gitEnvironments),
      this.#models.choose(cwd, config),
    ]);
    const chosen = "problem" in model ? undefined : model;
    return {
      ...(git ? { git } : {}),
      ...(chosen
        ? {
            provider: chosen.provider.id,
            model: chosen.model,
            context: {
              usedTokens: 0,
              windowTokens: chosen.contextWindow.tokens,
              windowSource: chosen.contextWindow.source,
            },
          }
        : {}),
      ...modelNotes(model),
      ...this.#localOnly(cwd),
      permissionMode: config.permissionMode ?? settings.permission_mode,
      mode: config.mode ?? settings.preferred_mode,
      agentsRunning: 0,
      queued: 0,
    };
  }

  #localOnly(folder: string): Pick<Hud, "localOnly"> {
    return this.#egress.at(folder).localOnly ? { localOnly: true } : {};
  }

  async #publish(watched: Watched): Promise<void> {
    const { subscribers, session } = watched.entry;
    const listeners = [...subscribers.clients].filter(({ profile }) => !profile?.optOut.has("hud"));
    // Git is asked for nobody: the next client that wants the display asks for it when it attaches.
    if (listeners.length === 0) return;
    const hud = await this.#compute(watched);
    const text = JSON.stringify(hud);
    if (text === watched.sent) return;
    watched.sent = text;
    for (const { peer } of listeners) {
      peer.notify("hud/update", { sessionId: session.sessionId, hud }, { droppable: true });
    }
  }

  #watchRepository(watched: Watched): void {
    if (watched.unwatch) return;
    watched.unwatch = () => undefined;
    const { log, session } = watched.entry;
    const { sessionId } = session;
    void watchRepository(log.header.cwd, () => this.#refresh(sessionId, { filesChanged: true })).then((unwatch) => {
      if (this.#watched.get(sessionId) === watched) watched.unwatch = unwatch;
      else unwatch();
    });
  }

  async #compute(watched: Watched): Promise<Hud> {
    const { session, log } = watched.entry;
    this.#watchRepository(watched);
    if (watched.gitIsOld) {
      watched.gitIsOld = false;
      watched.git = await readGitCounts(log.header.cwd, this.#gitEnvironments);
    }
    const { config } = session.state;
    const model = await this.#models.choose(log.header.cwd, config);
    const chosen = "problem" in model ? undefined : model;
    const view = session.context();
    const { usedTokens = lastUsedTokens(watched.entry) } = view ?? {};
    const window =
      view ?? (chosen && { windowTokens: chosen.contextWindow.tokens, windowSource: chosen.contextWindow.source });
    const { cost, undo, pinned } = session.state;
    const changes = agentChanges(undo);
    const { prefix, truncated } = view ?? {};
    return {
      ...(watched.git ? { git: watched.git } : {}),
      ...(changes.changedFiles > 0 ? { agentChanges: changes } : {}),
      ...(window
        ? { context: { usedTokens, windowTokens: window.windowTokens, windowSource: window.windowSource } }
        : {}),
      ...(chosen ? { provider: chosen.provider.id, model: chosen.model } : {}),
      ...modelNotes(model),
      ...(cost.usd > 0 || cost.unpricedRequests > 0 ? { cost } : {}),
      ...(prefix ? { prefix } : {}),
      ...(truncated ? { truncated } : {}),
      ...sandboxState(watched.entry),
      ...mcpState(watched.entry),
      ...this.#localOnly(log.header.cwd),
      ...(pinned.length > 0 ? { pinned: pinned.length } : {}),
      permissionMode: session.permissionMode,
      mode: session.mode,
      agentsRunning: agentsAtWork(watched.entry) - (stateOf(watched.entry) === "idle" ? 0 : 1),
      queued: session.state.queue.length,
    };
  }
}

/** The problem or the warning of a choice of a model. */
function modelNotes(model: Awaited<ReturnType<ModelCatalog["choose"]>>): Pick<Hud, "problem" | "warning"> {
  if ("problem" in model) return { problem: model.sentence };
  return model.warning === undefined ? {} : { warning: model.warning };
}

/** Empty where no sandbox is wanted, and until the sandbox has been probed. */
function sandboxState({ sandbox: { wanted, active, why } }: LiveEntry): Pick<Hud, "sandbox"> {
  if (wanted === "off" || (!active && why === undefined)) return {};
  return { sandbox: { active, ...(why === undefined ? {} : { why }) } };
}

/** Empty where no MCP server is named. */
function mcpState({ mcp }: LiveEntry): Pick<Hud, "mcp"> {
  const named = mcp.entries.filter(({ found }) => found.config.enabled !== false);
  if (named.length === 0) return {};
  return { mcp: { ready: named.filter(({ view }) => view.state === "ready").length, total: named.length } };
}

/** Tokens that the provider counted for the last request of a stored session; 0 where it counted none. */
function lastUsedTokens({ session }: LiveEntry): number {
  const usage = session.state.agents.get(ROOT_AGENT)?.usage;
  return (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
}

import {
  type Content,
  type ContextReport,
  type Delivery,
  type Fact,
  type QueuedPrompt,
  type RewindTarget,
  ROOT_AGENT,
  type SessionConfig,
  type SessionState,
} from "@harness/protocol";
import type { CompactionResult } from "../loop/compaction/compaction-work.ts";
import type { BriefResult } from "../loop/compaction/write-brief.ts";
import { configure, followSettings } from "../loop/configure.ts";
import type { Agent } from "../loop/turn/agent.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type {
  GoalChange,
  LiveSession,
  ProcessChange,
  PromptAnswer,
  PromptAttachments,
  RewindResult,
  SessionTexts,
  ShellOptions,
} from "../ports/live-session.ts";
import { LogWriteError } from "../ports/session-log.ts";
import { agentList } from "../subagents/agent-list.ts";
import { applyForPerson } from "../subagents/worktrees/apply-for-person.ts";
import { changesAction } from "../subagents/worktrees/worktree-changes.ts";
import { type DiffOptions, sessionDiff } from "../undo/session-diff.ts";
import type { UndoHistory } from "../undo/undo-history.ts";
import { changeGoal } from "./change-goal.ts";
import { changeSkill } from "./change-skill.ts";
import { nextRequestReport } from "./context-report.ts";
import { contextView } from "./context-view.ts";
import { liveDeltas } from "./live-deltas.ts";
import { PendingEditQueue } from "./pending-edit-queue.ts";
import { type PersonShell, personShell } from "./person-shell.ts";
import { namingOf } from "./session-name.ts";
import { briefNow, compactNow, refusedSummary } from "./session-summaries.ts";
import { sessionTexts } from "./session-texts.ts";
import type { TurnQueue } from "./turn-queue.ts";

type SessionDeps = { scope: Scope; root: Agent; queue: TurnQueue; history: UndoHistory };

/** An open session: takes prompts, and runs one turn of the root agent after another. */
export class RunningSession implements LiveSession {
  readonly #scope: Scope;
  readonly #root: Agent;
  readonly #queue: TurnQueue;
  readonly #history: UndoHistory;
  readonly #shell: PersonShell;
  readonly texts: SessionTexts;
  readonly edits: PendingEditQueue;
  readonly nameByModel: LiveSession["nameByModel"];
  /** Stops work that the user has requested between two turns. */
  #errand: AbortController | undefined;

  readonly snapshot = () => liveDeltas(this.state);
  readonly agents = () => agentList(this.state);
  readonly takeFiles = () => this.#queue.takeFiles();
  readonly rules = () => this.#scope.calls.gate.rules();
  readonly revoke = (ruleId: string) => this.#scope.calls.gate.revoke(ruleId);
  readonly idle = () => this.#queue.idle();
  readonly setTitle = (title: string) => this.#note({ sessionUpdate: "session_info_update", title });
  readonly setArchived = (how: { archived: boolean }) => this.#note({ sessionUpdate: "archive_update", ...how });
  readonly changeGoal = (change: GoalChange) => changeGoal(this.#scope, this.#queue, change);
  readonly changeSkill: LiveSession["changeSkill"] = (...change) =>
    this.#queue.unsaved() ?? changeSkill(this.#scope, this.#root, ...change);

  constructor({ scope, root, queue, history }: SessionDeps) {
    this.#scope = scope;
    this.#root = root;
    this.#queue = queue;
    this.#history = history;
    this.#shell = personShell(scope);
    this.texts = sessionTexts(scope, root, queue);
    this.edits = new PendingEditQueue(scope, queue);
    this.nameByModel = namingOf(scope, (fact) => this.#note(fact));
    scope.journal.onHalt = () => {
      this.#root.turn?.controller.abort();
      this.#stopBackground();
    };
  }

  get rootsNoted(): Promise<unknown> {
    return this.#scope.calls.gate.rootsNoted;
  }

  get sessionId(): string {
    return this.#scope.ports.log.header.sessionId;
  }

  get state(): SessionState {
    return this.#scope.journal.state;
  }

  get permissionMode() {
    return this.#scope.settings.permissionMode;
  }

  get mode() {
    return this.#scope.settings.agentMode;
  }

  hasPrompt(promptId: string): boolean {
    return this.#queue.hasPrompt(promptId);
  }

  prompt(promptId: string, content: Content[], delivery: Delivery, more: PromptAttachments = {}): PromptAnswer {
    return this.#queue.prompt({ promptId, content, ...more }, delivery);
  }

  promptAgent(agentId: string, prompt: QueuedPrompt): PromptAnswer {
    return this.#queue.promptAgent(prompt, agentId);
  }

  mentionRefusal(path: string, confirmed?: { allowsOutside: boolean }): Promise<string | undefined> {
    return this.#scope.calls.gate.mentionRefusal(path, confirmed);
  }

  unqueue(promptId: string): boolean {
    if (this.#queue.isClosed || !this.#queue.resumeLog()) return false;
    try {
      return this.#scope.prompts.remove([promptId]);
    } catch (error) {
      if (error instanceof LogWriteError) return false;
      throw error;
    }
  }

  cancel(agentId: string = ROOT_AGENT): boolean {
    if (agentId === ROOT_AGENT && this.#errand) {
      this.#errand.abort();
      return true;
    }
    const turn = this.#scope.agents.get(agentId)?.turn;
    if (turn && !turn.signal.aborted) {
      turn.controller.abort();
      return true;
    }
    if (agentId !== ROOT_AGENT || this.edits.cancel()) return agentId === ROOT_AGENT;
    // A second cancel, or one while no turn runs, stops the work beside the turns.
    return (!turn && this.#shell.cancel()) || this.#stopBackground();
  }

  /** Stops the agents that outlive a turn; returns false if there were none, or they are stopping already. */
  #stopBackground(): boolean {
    const running = [...this.#root.children.values()].filter((each) => each.background && !each.turn.signal.aborted);
    for (const { turn } of running) turn.controller.abort();
    return running.length > 0;
  }

  cancelToolCall(toolCallId: string): boolean {
    const controller = this.#scope.calls.controllers.get(toolCallId);
    if (!controller || controller.signal.aborted) return false;
    controller.abort();
    return true;
  }

  begin(requested: SessionConfig): void {
    const config = this.#scope.settings.begin(requested);
    if (Object.keys(config).length > 0) this.#configure(config);
  }

  setConfig(config: SessionConfig, reason?: string): SessionConfig {
    if (this.#queue.isClosed) return this.state.config;
    this.#queue.resumeLog();
    this.#scope.settings.choose(config);
    this.#configure(config, reason);
    return this.state.config;
  }

  #note(update: Fact): void {
    if (this.#queue.isClosed) return;
    this.#queue.resumeLog();
    this.#scope.journal.record({ agentId: ROOT_AGENT, update });
  }

  warn(title: string, description: string): void {
    const update = { sessionUpdate: "notice", severity: "warning", title, description } as const;
    if (!this.#queue.isClosed) this.#scope.journal.record({ agentId: ROOT_AGENT, update });
  }

  compact(instructions?: string): Promise<CompactionResult> {
    return this.#onErrand<CompactionResult>(refusedSummary, (signal) =>
      compactNow(this.#scope, this.#root, { instructions, signal }),
    );
  }

  brief(purpose: string): Promise<BriefResult> {
    return this.#onErrand<BriefResult>(refusedSummary, (signal) =>
      briefNow(this.#scope, this.#root, { purpose, signal }),
    );
  }

  undo(): Promise<RewindResult> {
    return this.#rewind(() => this.#history.undo());
  }

  diff(options: DiffOptions) {
    const { ports, journal, calls } = this.#scope;
    return sessionDiff({ ports, journal, history: calls.checkpoints }, options);
  }

  redo(): Promise<RewindResult> {
    return this.#rewind(() => this.#history.redo());
  }

  rewind(messageId: string, what: RewindTarget): Promise<RewindResult> {
    return this.#rewind(() => this.#history.rewind(messageId, what));
  }

  worktree(agentId: string, action: "diff" | "apply" | "drop"): Promise<{ done: boolean; text: string }> {
    if (action !== "apply") return changesAction(this.#scope, agentId, { action });
    return this.#onErrand(
      (text) => ({ done: false, text }),
      (signal) => applyForPerson(this.#scope, agentId, signal),
    );
  }

  reevaluate(): void {
    followSettings(this.#scope, { mayLoosen: !this.#queue.isAtWork });
    this.#scope.calls.gate.reevaluate();
  }

  context() {
    return contextView(this.#scope, this.#root);
  }

  async contextReport(agentId: string = ROOT_AGENT): Promise<ContextReport | { problem: string }> {
    return await nextRequestReport(this.#scope, agentId, async (settle) => {
      // A turn settles its agent itself.
      if (!this.#queue.isAtWork) await this.#queue.betweenTurns(() => "", settle);
    });
  }

  shell(options: ShellOptions) {
    try {
      return this.#queue.unsaved() ?? this.#shell.run(options);
    } catch (error) {
      if (error instanceof LogWriteError) return { problem: error.message, unsaved: true as const };
      throw error;
    }
  }

  processChanged(agentId: string, change: ProcessChange): void {
    // A subagent that has ended cannot receive it.
    const agent = this.#scope.agents.get(agentId) ?? this.#root;
    this.#scope.journal.record({ agentId: agent.agentId, update: { sessionUpdate: "process_update", ...change } });
    agent.inbox.wake();
  }

  async close(graceMs: number): Promise<void> {
    if (this.#queue.isClosed) return;
    this.#queue.close();
    this.cancel();
    this.#shell.cancel();
    this.#stopBackground();
    const { log, runtime } = this.#scope.ports;
    const ended = new AbortController();
    const children = Promise.allSettled(Array.from(this.#root.children.values(), (child) => child.ended));
    const work = Promise.all([this.idle(), this.#shell.idle(), children]);
    await Promise.race([work, runtime.clock.sleep(graceMs, ended.signal)]);
    ended.abort("ended");
    this.#scope.calls.checkpoints.close();
    this.#scope.journal.close();
    log.close();
  }

  #configure(config: SessionConfig, reason?: string): void {
    const { journal } = this.#scope;
    configure(this.#scope, (update) => journal.record({ agentId: ROOT_AGENT, update }), config, reason);
  }

  #rewind(work: () => Promise<RewindResult>): Promise<RewindResult> {
    const [background] = this.#root.children.keys();
    const text = `${background} is running and may change files. Wait for it, or stop it first.`;
    if (background !== undefined && !this.#queue.isAtWork) return Promise.resolve({ files: [], text });
    return this.#queue.betweenTurns<RewindResult>(
      (text, unsaved) => ({ files: [], text, ...(unsaved ? { unsaved } : {}) }),
      work,
    );
  }

  /** Runs work that the user waits for and can stop. */
  #onErrand<T>(refuse: (problem: string, unsaved?: true) => T, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    return this.#queue.betweenTurns(refuse, () => {
      this.#errand = controller;
      return work(controller.signal).finally(() => {
        this.#errand = undefined;
      });
    });
  }
}

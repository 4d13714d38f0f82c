import {
  type Content,
  type Delivery,
  type RewindTarget,
  ROOT_AGENT,
  type SessionConfig,
  type SessionState,
} from "@harness/protocol";
import type { PromptBook } from "../journal/prompt-book.ts";
import { soundContent } from "../journal/prompt-queue.ts";
import type { Compacted } from "../loop/compaction/compact-agent.ts";
import { configure } from "../loop/configure.ts";
import { runTurn } from "../loop/run-turn.ts";
import type { Agent } from "../loop/turn/agent.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type { Turn, TurnEnd } from "../loop/turn/turn.ts";
import type { LiveSession, PromptAnswer, Rewound } from "../ports/live-session.ts";
import { LogWriteError } from "../ports/session-log.ts";
import { agentList } from "../subagents/agent-list.ts";
import { redoTurn, rewindTo, undoTurn } from "../undo/take-changes-back.ts";
import { compactByHand } from "./compact-by-hand.ts";
import { contextView } from "./context-view.ts";
import { liveDeltas } from "./live-deltas.ts";

type Parts = { scope: Scope; root: Agent; newTurn: () => Turn; book: PromptBook };

/** The session that a server holds: takes prompts, runs one turn of the root agent after another. */
export class SessionAtWork implements LiveSession {
  readonly #scope: Scope;
  readonly #root: Agent;
  readonly #newTurn: () => Turn;
  readonly #book: PromptBook;
  /** The running turn, compaction or undo; undefined = idle. */
  #work: Promise<void> | undefined;
  #compaction: AbortController | undefined;
  /** The first prompt that came after the running turn was cancelled: it is meant to run. */
  #afterCancel: string | undefined;
  #closed = false;

  constructor({ scope, root, newTurn, book }: Parts) {
    this.#scope = scope;
    this.#root = root;
    this.#newTurn = newTurn;
    this.#book = book;
    scope.journal.onHalt = () => this.#root.turn?.controller.abort();
  }

  get sessionId(): string {
    return this.#scope.ports.log.header.sessionId;
  }

  get state(): SessionState {
    return this.#scope.journal.state;
  }

  get permissionMode() {
    return this.#scope.permissionMode();
  }

  get mode() {
    return this.#scope.mode();
  }

  prompt(promptId: string, content: Content[], delivery: Delivery): PromptAnswer {
    if (this.#closed) return { conflict: "This session is closed. Open it again to go on." };
    const message = soundContent(content);
    const known = this.#book.find(promptId, message);
    if (known) return this.#withSteering(promptId, known);
    if (!this.#resumeLog()) return this.#unsaved();
    try {
      if (this.#work === undefined) return this.#start(promptId, message);
      return this.#join(promptId, message, delivery);
    } catch (error) {
      if (error instanceof LogWriteError) return this.#unsaved();
      throw error;
    }
  }

  unqueue(promptId: string): boolean {
    if (this.#closed || !this.#resumeLog()) return false;
    try {
      return this.#scope.queue.remove([promptId]);
    } catch (error) {
      if (error instanceof LogWriteError) return false;
      throw error;
    }
  }

  cancel(agentId: string = ROOT_AGENT): boolean {
    if (agentId === ROOT_AGENT && this.#compaction) {
      this.#compaction.abort();
      return true;
    }
    const turn = this.#scope.agents.get(agentId)?.turn;
    if (!turn || turn.signal.aborted) return false;
    turn.controller.abort();
    return true;
  }

  cancelToolCall(toolCallId: string): boolean {
    const controller = this.#scope.calls.get(toolCallId);
    if (!controller || controller.signal.aborted) return false;
    controller.abort();
    return true;
  }

  setConfig(config: SessionConfig, reason?: string): SessionConfig {
    if (this.#closed) return this.state.config;
    this.#resumeLog();
    const { journal } = this.#scope;
    configure(this.#scope, (update) => journal.record({ agentId: ROOT_AGENT, update }), config, reason);
    return this.state.config;
  }

  setTitle(title: string): void {
    if (this.#closed) return;
    this.#resumeLog();
    this.#scope.journal.record({ agentId: ROOT_AGENT, update: { sessionUpdate: "session_info_update", title } });
  }

  compact(instructions?: string): Promise<Compacted> {
    const controller = new AbortController();
    return this.#betweenTurns<Compacted>(
      (problem) => ({ problem }),
      () => {
        this.#compaction = controller;
        return compactByHand(this.#scope, this.#root, instructions, controller.signal).finally(() => {
          this.#compaction = undefined;
        });
      },
    );
  }

  undo(): Promise<Rewound> {
    return this.#rewind(() => undoTurn(this.#scope));
  }

  redo(): Promise<Rewound> {
    return this.#rewind(() => redoTurn(this.#scope, this.#root));
  }

  rewind(messageId: string, what: RewindTarget): Promise<Rewound> {
    return this.#rewind(() => rewindTo(this.#scope, this.#root, messageId, what));
  }

  rules() {
    return this.#scope.gate.rules();
  }

  revoke(ruleId: string) {
    return this.#scope.gate.revoke(ruleId);
  }

  judgeAnew(): void {
    this.#scope.gate.judgeAnew();
  }

  context() {
    return contextView(this.#scope, this.#root);
  }

  snapshot() {
    return liveDeltas(this.state);
  }

  agents() {
    return agentList(this.state);
  }

  async idle(): Promise<void> {
    while (this.#work !== undefined) await this.#work;
  }

  async close(graceMs: number): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.cancel();
    const { clock, log } = this.#scope.ports;
    const ended = new AbortController();
    await Promise.race([this.idle(), clock.sleep(graceMs, ended.signal)]);
    ended.abort("ended");
    this.#scope.journal.close();
    log.close();
  }

  /** A turn in the facts first, then its message: a prompt that is stored has a turn that answers it. */
  #start(promptId: string, content: Content[]): PromptAnswer {
    const { ids } = this.#scope.ports;
    const turn = this.#newTurn();
    try {
      turn.record({ sessionUpdate: "state_update", state: "running" });
      turn.record({ sessionUpdate: "user_message", messageId: ids.next("message"), promptId, content, origin: "user" });
      this.#scope.queue.remove([promptId]);
    } catch (error) {
      const shown = this.state.agents.get(ROOT_AGENT)?.state;
      if (error instanceof LogWriteError && shown !== "idle") turn.endUnsaved(error.message);
      throw error;
    }
    this.#root.turn = turn;
    this.#work = Promise.resolve()
      .then(() => runTurn(turn))
      .then((end) => this.#turnEnded(end));
    return { disposition: "started", turnId: turn.turnId };
  }

  #join(promptId: string, content: Content[], delivery: Delivery): PromptAnswer {
    const { turn } = this.#root;
    const turnId = turn?.turnId;
    const current = turnId === undefined ? {} : { turnId };
    if (delivery === "start") {
      const conflict = turn
        ? "The agent is at work. Queue the message, steer, or cancel first."
        : "The session is busy for a moment: it is being compacted, or goes back. Send it again, or queue it.";
      return { conflict, ...(turnId === undefined ? {} : { currentTurnId: turnId }) };
    }
    const isOver = !turn || turn.signal.aborted;
    // An agent that only waits for its subagents has time for a person at once.
    const isWaiting = this.state.agents.get(ROOT_AGENT)?.state === "waiting";
    const joins = !isOver && (delivery === "steer" || isWaiting);
    this.#scope.queue.add({ promptId, content }, joins);
    if (joins) this.#root.inbox.wake();
    if (isOver) this.#afterCancel ??= promptId;
    return joins ? { disposition: "steered", ...current } : { disposition: "queued" };
  }

  #withSteering(promptId: string, known: PromptAnswer): PromptAnswer {
    if (!("disposition" in known) || !this.#scope.queue.isSteering(promptId)) return known;
    const turnId = this.#root.turn?.turnId;
    return { ...known, disposition: "steered", ...(turnId === undefined ? {} : { turnId }) };
  }

  #turnEnded(end: TurnEnd): void {
    this.#work = undefined;
    this.#scope.queue.forgetSteering();
    const [first] = this.#scope.queue.waiting;
    // Who stops the agent wants it to stop: what was queued before waits for the next prompt.
    const next = end.stopReason === "cancelled" ? this.#afterCancel : first?.promptId;
    this.#afterCancel = undefined;
    this.#startNext(next);
  }

  #startNext(promptId: string | undefined): void {
    const prompt = this.#scope.queue.waiting.find((each) => each.promptId === promptId);
    if (!prompt || this.#closed || this.#scope.journal.halted !== undefined) return;
    try {
      this.#start(prompt.promptId, prompt.content);
    } catch (error) {
      if (!(error instanceof LogWriteError)) this.#scope.ports.report(error, "session.startNext");
    }
  }

  #rewind(work: () => Promise<Rewound>): Promise<Rewound> {
    return this.#betweenTurns<Rewound>((text) => ({ files: [], text }), work);
  }

  /** What a person asks for while no turn runs; prompts that come meanwhile wait for it. `refuse`: nothing was done. */
  async #betweenTurns<T>(refuse: (problem: string) => T, work: () => Promise<T>): Promise<T> {
    if (this.#closed) return refuse("This session is closed. Open it again to go on.");
    if (this.#work !== undefined)
      return refuse("The agent is at work. Try again when its turn is over, or cancel it first.");
    if (!this.#resumeLog()) return refuse(this.#unsaved().conflict);
    const done = work().catch((error: unknown) => {
      if (error instanceof LogWriteError) return refuse(this.#unsaved().conflict);
      this.#scope.ports.report(error, "session.betweenTurns");
      return refuse("It failed inside harness; its log has the details.");
    });
    this.#work = done.then(() => {
      this.#work = undefined;
      this.#startNext(this.#scope.queue.waiting[0]?.promptId);
    });
    return await done;
  }

  /** While a turn winds down after a failure of the log nothing may be written between its facts. */
  #resumeLog(): boolean {
    const { journal } = this.#scope;
    return journal.halted === undefined || (this.#work === undefined && journal.resume());
  }

  #unsaved(): { conflict: string; unsaved: true } {
    const reason = this.#scope.journal.halted ?? "its log cannot be written";
    return {
      conflict: `This session cannot be saved (${reason}); the message was not taken. Mend the cause, then send it again.`,
      unsaved: true,
    };
  }
}

import { type Delivery, type QueuedPrompt, ROOT_AGENT } from "@harness/protocol";
import type { PromptHistory } from "../journal/prompt-history.ts";
import { sanitizePrompt } from "../journal/prompt-queue.ts";
import { runTurn } from "../loop/run-turn.ts";
import type { TurnEnd } from "../loop/stages/stage-value.ts";
import type { Agent } from "../loop/turn/agent.ts";
import { recordPrompt } from "../loop/turn/drain-inbox.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type { Turn } from "../loop/turn/turn.ts";
import type { PromptAnswer } from "../ports/live-session.ts";
import { LogWriteError } from "../ports/session-log.ts";
import { writeToAgent } from "../subagents/write-to-agent.ts";

const NOTHING_DONE = "Nothing was done";
const CLOSED = "This session is closed. Open it again to go on.";

type TurnQueueDeps = { scope: Scope; root: Agent; newTurn: () => Turn; prompts: PromptHistory };

/** The work of the root agent in sequence: turns, and operations that the user requests between two turns. */
export class TurnQueue {
  readonly #scope: Scope;
  readonly #root: Agent;
  readonly #newTurn: () => Turn;
  readonly #asked: PromptHistory;
  /** The running turn, compaction or undo; undefined if idle. */
  #work: Promise<void> | undefined;
  /** A prompt came after the running turn was cancelled, so that what waits goes on. */
  #goesOn = false;
  #closed = false;

  constructor({ scope, root, newTurn, prompts }: TurnQueueDeps) {
    this.#scope = scope;
    this.#root = root;
    this.#newTurn = newTurn;
    this.#asked = prompts;
  }

  get isAtWork(): boolean {
    return this.#work !== undefined;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** No further work is started. */
  close(): void {
    this.#closed = true;
  }

  /** Resolves when no turn and no agent that outlives its turn is running. */
  async idle(): Promise<void> {
    while (this.#work !== undefined || this.#background.length > 0) {
      await this.#work;
      await Promise.all(this.#background.map(({ ended }) => ended));
    }
  }

  get #background() {
    return [...this.#root.children.values()].filter(({ background }) => background);
  }

  hasPrompt(promptId: string): boolean {
    return this.#asked.has(promptId);
  }

  prompt(prompt: QueuedPrompt, delivery: Delivery): PromptAnswer {
    return this.#take(prompt, (message) => {
      if (this.#work !== undefined) return this.#join(message, delivery);
      const isFirst = delivery === "start" || this.#scope.prompts.waiting.length === 0;
      return isFirst ? this.#start(message) : this.#startWaiting(message);
    });
  }

  /** Takes a message for a running subagent. */
  promptAgent(prompt: QueuedPrompt, agentId: string): PromptAnswer {
    return this.#take(prompt, (message) => writeToAgent(this.#scope, message, agentId));
  }

  #take(prompt: QueuedPrompt, store: (message: QueuedPrompt) => PromptAnswer): PromptAnswer {
    if (this.#closed) return { conflict: CLOSED };
    const { promptId } = prompt;
    const message = sanitizePrompt(prompt);
    const known = this.#asked.find(promptId, message.content);
    if (known) return this.#withSteering(promptId, known);
    this.#scope.prompts.give(promptId);
    if (!this.resumeLog()) return this.#unsaved();
    try {
      return store(message);
    } catch (error) {
      if (error instanceof LogWriteError) return this.#unsaved();
      throw error;
    }
  }

  /**
   * Runs an operation while no turn runs; prompts that arrive meanwhile wait for it. `refuse`: it was not done, or not
   * completely; `unsaved`: because the log cannot be written.
   */
  async betweenTurns<T>(refuse: (problem: string, unsaved?: true) => T, work: () => Promise<T>): Promise<T> {
    if (this.#closed) return refuse(CLOSED);
    if (this.#work !== undefined)
      return refuse("The agent is at work. Try again when its turn is over, or cancel it first.");
    if (!this.resumeLog()) return refuse(this.#unsavedText(NOTHING_DONE), true);
    const begin = async () => {
      this.#takeOutsideChanges();
      return await work();
    };
    const done = begin().catch((error: unknown) => {
      if (error instanceof LogWriteError) return refuse(this.#unsavedText("This broke off"), true);
      this.#scope.ports.runtime.report(error, "session.betweenTurns");
      return refuse("It failed because of an error in harness; its log has the details.");
    });
    this.#work = done.then(() => {
      this.#work = undefined;
      this.#startNext();
    });
    return await done;
  }

  /**
   * Lets the log accept facts again after a failure; returns false if it still fails. While a turn winds down after
   * such a failure, nothing may be written between its facts.
   */
  resumeLog(): boolean {
    const { journal } = this.#scope;
    if (journal.halted === undefined) return true;
    return this.#work === undefined && this.#background.length === 0 && journal.resume();
  }

  /** Why nothing can be stored now, as a sentence; undefined if it can. */
  unsaved(): { problem: string; unsaved?: true } | undefined {
    if (this.#closed) return { problem: CLOSED };
    if (this.resumeLog()) return undefined;
    return { problem: this.#unsavedText(NOTHING_DONE), unsaved: true };
  }

  #unsaved(): { conflict: string; unsaved: true } {
    return { conflict: this.#unsavedText("The message was not sent"), unsaved: true };
  }

  #unsavedText(what: string): string {
    const reason = this.#scope.journal.halted ?? "Its log cannot be written.";
    return `${what}, because this session cannot be saved. ${reason}`;
  }

  /** Records the turn before its message, so that every stored prompt has a turn that answers it. */
  #start(prompt: QueuedPrompt): PromptAnswer {
    this.#takeOutsideChanges();
    const { promptId } = prompt;
    const turn = this.#newTurn();
    try {
      turn.record({ sessionUpdate: "state_update", state: "running" });
      recordPrompt(turn, prompt);
      this.#scope.prompts.remove([promptId]);
    } catch (error) {
      const shown = this.#scope.journal.state.agents.get(ROOT_AGENT)?.state;
      if (error instanceof LogWriteError && shown !== "idle") turn.endUnsaved(error.message);
      throw error;
    }
    this.#root.turn = turn;
    this.#work = Promise.resolve()
      .then(() => runTurn(turn))
      .then((end) => this.#turnEnded(end));
    return { disposition: "started", turnId: turn.turnId };
  }

  /** Prompts that a cancelled turn has left waiting go first, as they were written first. */
  #startWaiting(prompt: QueuedPrompt): PromptAnswer {
    this.#scope.prompts.add(prompt, { steer: false });
    this.#startNext();
    return { disposition: "queued" };
  }

  /** Brings the conversation up to date with the session's files. While an agent works, its end comes first. */
  takeFiles(): void {
    if (this.#closed || this.#work !== undefined || !this.resumeLog()) return;
    try {
      this.#takeOutsideChanges();
    } catch (error) {
      // The journal has told the user; the next turn tries again.
      if (!(error instanceof LogWriteError)) throw error;
    }
  }

  /** Messages that a person has changed in the session's files count from now on. */
  #takeOutsideChanges(): void {
    const { journal, ports } = this.#scope;
    const changes = ports.log.outsideChanges();
    for (const { agentId, update } of changes) journal.append({ agentId, update });
    const isRewound = changes.some(({ update }) => "fromSeq" in update && update.fromSeq !== undefined);
    if (isRewound) this.#root.conversationRewound("messages were changed in their files");
  }

  #join(prompt: QueuedPrompt, delivery: Delivery): PromptAnswer {
    const { turn } = this.#root;
    const turnId = turn?.turnId;
    const current = turnId === undefined ? {} : { turnId };
    if (delivery === "start") {
      const conflict = turn
        ? "The agent is at work. Queue the message, steer, or cancel first."
        : "The session is busy for a moment: it is being compacted or rewound. Send the message again, or queue it.";
      return { conflict, ...(turnId === undefined ? {} : { currentTurnId: turnId }) };
    }
    const isOver = !turn || turn.signal.aborted;
    // An agent that only waits for its subagents takes a prompt at once.
    const isWaiting = this.#scope.journal.state.agents.get(ROOT_AGENT)?.state === "waiting";
    const joins = !isOver && (delivery === "steer" || isWaiting);
    this.#scope.prompts.add(prompt, { steer: joins });
    if (joins) this.#root.inbox.wake();
    if (turn?.signal.aborted) this.#goesOn = true;
    return joins ? { disposition: "steered", ...current } : { disposition: "queued" };
  }

  #withSteering(promptId: string, known: PromptAnswer): PromptAnswer {
    if (!("disposition" in known) || !this.#scope.prompts.isSteering(promptId)) return known;
    const turnId = this.#root.turn?.turnId;
    return { ...known, disposition: "steered", ...(turnId === undefined ? {} : { turnId }) };
  }

  #turnEnded(end: TurnEnd): void {
    this.#work = undefined;
    this.#scope.settings.endCommand();
    this.#scope.calls.gate.modeChanged();
    this.#scope.prompts.forgetSteering();
    // A user who stops the agent wants it to stop: earlier prompts stay queued until the next one.
    const stays = end.stopReason === "cancelled" && !this.#goesOn;
    this.#goesOn = false;
    if (!stays) this.#startNext();
  }

  #startNext(): void {
    const [prompt] = this.#scope.prompts.waiting;
    if (!prompt || this.#closed || this.#scope.journal.halted !== undefined) return;
    try {
      this.#start(prompt);
    } catch (error) {
      if (!(error instanceof LogWriteError)) this.#scope.ports.runtime.report(error, "session.startNext");
    }
  }
}

import {
  addCost,
  addUsage,
  type Cost,
  type Delta,
  type Fact,
  NO_COST,
  type PromptCommand,
  type StoredFact,
  textOf,
  type UpdateOf,
  type Usage,
} from "@harness/protocol";
import type { ModelChoice, ModelRequest } from "../../ports/provider.ts";
import type { MadeRequest, Runtime } from "../../ports/session-ports.ts";
import type { CallSteps } from "../stages/call-steps.ts";
import { StageLimitError, type StageTable, type StepError } from "../stages/stage.ts";
import type { Reply, StageName, Transition, TurnEnd } from "../stages/stage-value.ts";
import type { TurnSteps } from "../stages/turn-steps.ts";
import type { Agent } from "./agent.ts";
import { LoopDetector } from "./loop-detector.ts";
import type { ReplyCalls } from "./reply-calls.ts";
import { RetryLimit } from "./retry-limit.ts";
import type { Scope } from "./scope.ts";

/** assemble, send, receive, tool_exec, tool_done; and the first and last stages of a turn. */
const STAGES_OF_A_REQUEST = 5;
const STAGES_BESIDES = 10;

/** `parent`: its cancel also stops the subagent. */
type TurnDeps = { scope: Scope; steps: TurnSteps<Turn>; agent: Agent; turnId: string; parent: Turn | undefined };

/** One turn of one agent: from a message to idle. */
export class Turn {
  readonly scope: Scope;
  /** The steps of this turn and of its subagents' turns. */
  readonly steps: TurnSteps<Turn>;
  readonly agent: Agent;
  readonly turnId: string;
  /** The turn that finally waits for it: itself, unless a turn of another agent does. */
  readonly top: Turn;
  readonly controller = new AbortController();
  /** Aborts when this agent, or one above it, is cancelled. */
  readonly signal: AbortSignal;
  readonly loops = new LoopDetector();
  readonly retries = new RetryLimit();
  /** For its last reply; undefined if that reply was not streamed by the built-in step. */
  calls: ReplyCalls | undefined;
  /** Slash commands whose calls have not been made yet. */
  readonly unwritten: PromptCommand[] = [];
  #stages: StageTable<Turn>;
  #callSteps: CallSteps<Turn>;
  #stepFailure: StepError | undefined;
  #requests = 0;
  /** Counted since the user last looked at the work. */
  #stageCount = 0;
  #usage: Usage = {};
  #cost: Cost | undefined;
  #choice: ModelChoice | undefined;
  #output = "";
  #lastReply: Reply | undefined;
  #lastRequest: ModelRequest | undefined;
  #assembledAt: number | undefined;
  #compactionWish: { focus?: string } | undefined;
  /** The number of open questions of this agent. */
  #asking = 0;

  constructor({ scope, steps, agent, turnId, parent }: TurnDeps) {
    this.scope = scope;
    this.steps = steps;
    this.#stages = steps.now();
    this.#callSteps = steps.calls();
    this.agent = agent;
    this.turnId = turnId;
    this.top = parent?.top ?? this;
    const { signal } = this.controller;
    this.signal = parent ? AbortSignal.any([parent.signal, signal]) : signal;
  }

  get runtime(): Runtime {
    return this.scope.ports.runtime;
  }

  /** The folder that its agent works in. */
  get cwd(): string {
    return this.agent.place?.cwd ?? this.scope.ports.log.header.cwd;
  }

  /** The steps of its stages, constant during an iteration. */
  get stages(): StageTable<Turn> {
    return this.#stages;
  }

  /** The steps of extensions for single calls. */
  get callSteps(): CallSteps<Turn> {
    return this.#callSteps;
  }

  /** A step of one call has failed: the turn ends when all calls of the reply are answered. */
  failStep(error: StepError): void {
    this.#stepFailure ??= error;
  }

  takeStepFailure(): StepError | undefined {
    const failure = this.#stepFailure;
    this.#stepFailure = undefined;
    return failure;
  }

  /** The steps for a new stage: looked up again before each request. */
  stepsOf(stage: StageName): StageTable<Turn> {
    if (stage === "start" || stage === "assemble") {
      this.#stages = this.steps.now();
      this.#callSteps = this.steps.calls();
    }
    this.#stageCount += 1;
    if (this.#stageCount > this.scope.settings.values.limits.maxTurns * STAGES_OF_A_REQUEST + STAGES_BESIDES) {
      this.notice("warning", "Stopped: hooks kept the turn in a loop.", "The limit is the setting max_turns.");
      throw new StageLimitError();
    }
    return this.#stages;
  }

  /** Throws `LogWriteError`; the turn must then end. */
  record(update: Fact): StoredFact {
    if (update.sessionUpdate === "user_message") this.#hear(update);
    return this.scope.journal.append({ agentId: this.agent.agentId, turnId: this.turnId, update });
  }

  delta(delta: Delta): void {
    this.scope.journal.delta(this.agent.agentId, this.turnId, delta);
  }

  /** Requests since the user's last message. */
  get requests(): number {
    return this.#requests;
  }

  countRequest(): void {
    this.#requests += 1;
    this.agent.budget.countRequest();
  }

  /** The user has looked at the work: the count of requests starts again. */
  resetRequests(): void {
    this.#requests = 0;
    this.#stageCount = 0;
    this.scope.startLimit.renew();
  }

  /** The model of the last request; undefined before the first one. */
  get choice(): ModelChoice | undefined {
    return this.#choice;
  }

  useModel(choice: ModelChoice): void {
    this.#choice = choice;
  }

  /** The model wants its older messages summarised before the next request. */
  askForCompaction(focus: string | undefined): void {
    this.#compactionWish = focus === undefined ? {} : { focus };
  }

  /** Takes that wish, once. */
  takeCompactionWish(): { focus?: string } | undefined {
    const wish = this.#compactionWish;
    this.#compactionWish = undefined;
    return wish;
  }

  /** The last reply in the log. */
  get lastReply(): Reply | undefined {
    return this.#lastReply;
  }

  replied(reply: Reply): void {
    this.#lastReply = reply;
  }

  /** As it was last sent to the model; undefined before the first one. */
  get lastRequest(): ModelRequest | undefined {
    return this.#lastRequest;
  }

  sends(request: ModelRequest): void {
    this.#lastRequest = request;
    this.#assembledAt = undefined;
  }

  /** The messages of the next request have just been taken from the log. */
  takesMessages(): void {
    this.#assembledAt = this.scope.journal.seq;
  }

  madeRequest(request: ModelRequest, { provider, toolMode = "native" }: ModelChoice): MadeRequest {
    const { agent, scope, turnId } = this;
    const { agentId, basis, toolbox } = agent;
    const after = this.#assembledAt ?? scope.journal.seq;
    const { model } = request;
    const { served } = toolbox;
    const { command } = scope.settings;
    return { agentId, provider: provider.id, model, turnId, after, basis, request, toolMode, served, command };
  }

  /** The last text of the model. */
  get output(): string {
    return this.#output;
  }

  say(text: string): void {
    this.#output = text;
  }

  /** The usage of its requests and its subagents. */
  get usage(): Usage {
    return this.#usage;
  }

  /** The total cost; undefined if no model was asked yet. */
  get cost(): Cost | undefined {
    return this.#cost;
  }

  /** Adds the usage and cost of a request. */
  spend(usage: Usage | undefined, cost: Cost | undefined): void {
    this.agent.budget.spend(usage, cost);
    this.addSpent(usage, cost);
  }

  /** Adds the usage and cost of a subagent, which is already charged to this agent's budget. */
  addSpent(usage: Usage | undefined, cost: Cost | undefined): void {
    this.#usage = addUsage(this.#usage, usage);
    if (cost) this.#cost = addCost(this.#cost ?? NO_COST, cost);
  }

  /** The transition to the stage in which the turn ends. */
  done(end: TurnEnd): Transition {
    return { end, output: this.#output, nextState: "done" };
  }

  /** Ends the turn after a failure of the log, and shows the reason. */
  endUnsaved(reason: string): TurnEnd {
    const { agentId } = this.agent;
    const message = `The session can no longer be saved. ${reason}`;
    const end: TurnEnd = { stopReason: "error", error: { kind: "storage_failed", message } };
    const update: Fact = { sessionUpdate: "state_update", state: "idle", ...end };
    this.scope.journal.announceUnstored({ agentId, turnId: this.turnId, update });
    return end;
  }

  /** A message of the user is always new; agents and programs may send the same message again and again. */
  #hear({ origin, content }: UpdateOf<"user_message">): void {
    if (origin === "user") {
      this.loops.restart();
      this.scope.startLimit.renew();
    } else this.loops.hear(textOf(content));
  }

  notice(severity: UpdateOf<"notice">["severity"], title: string, description?: string): void {
    this.record({ sessionUpdate: "notice", severity, title, ...(description ? { description } : {}) });
  }

  /** Asks the user while the state of the agent shows it, until its last question is answered. */
  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#asking === 0) this.record({ sessionUpdate: "state_update", state: "requires_action" });
    this.#asking += 1;
    const answer = await ask().finally(() => {
      this.#asking -= 1;
    });
    if (this.#asking === 0 && !this.signal.aborted) this.record({ sessionUpdate: "state_update", state: "running" });
    return answer;
  }
}

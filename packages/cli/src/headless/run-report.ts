import {
  addCost,
  addUsage,
  type Cost,
  type Failure,
  goalNotice,
  NO_COST,
  ROOT_AGENT,
  type SessionUpdate,
  type StopReason,
  textOf,
  type UpdateOf,
  type UpdateView,
  type Usage,
} from "@harness/protocol";
import { type ExitReason, exitCodes } from "../process/exit-codes.ts";
import type { RunAgent, RunResult } from "./run-result.ts";
import type { RunServer } from "./run-servers.ts";

/** Facts about the whole run besides its updates; `error` is a failure outside of any turn. */
export type RunFacts = {
  ending: ExitReason;
  sessionId: string | null;
  /** It can be opened again. */
  isStored: boolean;
  durationMs: number;
  error?: { kind: string; message: string };
};

/** The first line; the rest of a result is for the model. */
export function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** The cost of a request to a model, as part of a fact. */
type RequestSpend = {
  provider?: string | undefined;
  model?: string | undefined;
  usage?: Usage | undefined;
  cost?: Cost | undefined;
};

type TurnEnd = {
  ending: ExitReason;
  stopReason: StopReason | undefined;
  failure: Failure | undefined;
  warning: string | undefined;
};

/** Collects the result of a run from the session's updates. */
export class RunReport implements UpdateView {
  /** The last message of the model to the user, so far. */
  answer = "";
  #turns = 0;
  #end: TurnEnd | undefined;
  /** The title of the last notice in the running turn: it may say why the turn ended. */
  #warning: string | undefined;
  #usage: Usage = {};
  #cost: Cost = NO_COST;
  readonly #models: RunResult["models"] = {};
  readonly #repairs: RunResult["repairs"] = [];
  readonly #calls = new Map<string, { tool: string; title: string }>();
  readonly #tools = new Map<string, number>();
  readonly #denials: RunResult["permissionDenials"] = [];
  readonly #agents = new Map<string, RunAgent>();
  readonly #changed = new Set<string>();
  #servers: readonly RunServer[] = [];
  #structured: { value: unknown } | undefined;

  /** Returns true if this update ended the turn of the main agent. */
  see({ agentId, update }: SessionUpdate): boolean {
    if ("fromFile" in update && update.fromFile) return false;
    switch (update.sessionUpdate) {
      case "agent_message":
        this.#seeMessage(agentId, update);
        return false;
      case "compaction_update":
        this.#spend(update);
        return false;
      case "goal_update":
        if (update.cost) this.#spend(update);
        if (update.state === "paused") this.#warning = goalNotice(update)?.title;
        return false;
      case "repair":
        this.#repairs.push({ type: update.what, detail: update.detail });
        return false;
      case "tool_call_update":
        this.#seeCall(agentId, update);
        return false;
      case "subagent_update":
        this.#agents.set(update.childAgentId, agentOf(agentId, update));
        return false;
      case "retry":
        if (update.cost) this.#spend(update);
        return false;
      case "notice":
        if (update.cost) this.#spend(update);
        if (agentId === ROOT_AGENT && update.severity !== "info") this.#warning = update.title;
        return false;
      case "state_update":
        if (agentId !== ROOT_AGENT || update.state !== "idle") return false;
        this.answer = update.output ?? this.answer;
        this.#seeEnd(update.stopReason, update.error);
        return true;
      default:
        return false;
    }
  }

  takeServers(servers: readonly RunServer[]): void {
    this.#servers = servers;
  }

  /** The value is the answer, without the words around it. */
  takeStructured(value: unknown): void {
    this.#structured = { value };
    this.answer = JSON.stringify(value);
  }

  /** Reports the answer of a slash command, which has no turn. */
  answerCommand(text: string): void {
    this.answer = text;
    this.#end = { ending: "done", stopReason: undefined, failure: undefined, warning: undefined };
  }

  /** The subagents that have not ended, in the order of their start. */
  get agentsAtWork(): string[] {
    return [...this.#agents.values()].flatMap(({ agentId, state }) => (state === "running" ? [agentId] : []));
  }

  /** How the turns ended: the first failure counts. Undefined before the first has ended. */
  get ending(): ExitReason | undefined {
    return this.#end?.ending;
  }

  result({ ending, sessionId, isStored, durationMs, error }: RunFacts): RunResult {
    const reason = error ?? this.#reason(ending, isStored ? sessionId : null);
    return {
      type: "result",
      subtype: subtypes[ending] ?? "error",
      isError: ending !== "done",
      exitCode: exitCodes[ending].code,
      stopReason: this.#end?.stopReason ?? null,
      result: this.answer,
      ...(this.#structured && { structured: this.#structured.value }),
      sessionId,
      turns: this.#turns,
      durationMs: Math.round(durationMs),
      usage: this.#usage,
      cost: this.#cost,
      models: this.#models,
      repairs: this.#repairs,
      tools: Object.fromEntries(this.#tools),
      permissionDenials: this.#denials,
      agents: [...this.#agents.values()],
      mcpServers: [...this.#servers],
      filesChanged: [...this.#changed].sort(),
      ...(reason ? { error: { ...reason, retryable: passing.has(reason.kind) } } : {}),
    };
  }

  #seeMessage(agentId: string, message: UpdateOf<"agent_message">): void {
    this.#spend(message);
    if (agentId !== ROOT_AGENT) return;
    this.#warning = undefined;
    this.#turns += 1;
    const text = textOf(message.parts);
    if (text.trim() !== "") this.answer = text;
  }

  /** Adds the cost of a request; facts of older versions do not name the model. */
  #spend({ provider, model, usage, cost }: RequestSpend): void {
    this.#usage = addUsage(this.#usage, usage);
    this.#cost = addCost(this.#cost, cost);
    if (provider === undefined || model === undefined) return;
    const name = `${provider}/${model}`;
    const { cost: before = NO_COST, ...tokens } = this.#models[name] ?? {};
    this.#models[name] = { ...addUsage(tokens, usage), cost: addCost(before, cost) };
  }

  #seeCall(agentId: string, update: UpdateOf<"tool_call_update">): void {
    const { toolCallId, name, title, outcome } = update;
    if (name !== undefined) this.#calls.set(toolCallId, { tool: name, title: title ?? name });
    if (!outcome) return;
    const call = this.#calls.get(toolCallId) ?? { tool: "", title: toolCallId };
    this.#calls.delete(toolCallId);
    this.#tools.set(call.tool, (this.#tools.get(call.tool) ?? 0) + 1);
    if (outcome.status === "denied") this.#denials.push({ agentId, ...call, reason: firstLine(outcome.text) });
    if (outcome.status === "ok")
      for (const block of outcome.blocks) if (block.type === "diff") this.#changed.add(block.path);
  }

  #seeEnd(stopReason: StopReason | undefined, failure: Failure | undefined): void {
    const ending = endingOf(stopReason, failure);
    const before = this.#end?.ending;
    const hasFailed = before !== undefined && before !== "done" && before !== "interrupted";
    if (!hasFailed) this.#end = { ending, stopReason, failure, warning: this.#warning };
  }

  #reason(ending: ExitReason, resumeId: string | null): { kind: string; message: string } | undefined {
    if (ending === "done") return undefined;
    const { failure, stopReason, warning } = this.#end ?? {};
    if (failure) return { kind: failure.kind, message: failure.message };
    const isCounted = stopReason === "max_turn_requests" || stopReason === "loop" || stopReason === "max_tokens";
    const words = (isCounted || stopReason === "budget" ? warning : undefined) ?? (stopReason && stopWords[stopReason]);
    const goOn = isCounted && resumeId !== null ? `\nContinue with: harness run --resume ${resumeId} /continue` : "";
    return { kind: ending, message: `${words ?? "The run ended before its turn was over."}${goOn}` };
  }
}

function agentOf(parentAgentId: string, update: UpdateOf<"subagent_update">): RunAgent {
  const { childAgentId: agentId, task, state, name, background, output, usage, cost } = update;
  return {
    agentId,
    parentAgentId,
    task,
    state,
    ...(name === undefined ? {} : { name }),
    ...(background ? { background } : {}),
    ...(output === undefined ? {} : { output }),
    ...(usage ? { usage } : {}),
    ...(cost ? { cost } : {}),
  };
}

function endingOf(stopReason: StopReason | undefined, failure: Failure | undefined): ExitReason {
  if (failure) return failureEndings[failure.kind] ?? "failed";
  switch (stopReason) {
    case "end_turn":
      return "done";
    case "max_tokens":
    case "max_turn_requests":
    case "budget":
    case "loop":
      return "limit";
    case "cancelled":
      return "interrupted";
    default:
      return "failed";
  }
}

const failureEndings: Partial<Record<Failure["kind"], ExitReason>> = {
  auth: "config",
  config: "config",
  overflow: "context",
  truncated: "context",
};

/** Messages for turns that ended neither with success nor with a failure. */
const stopWords: Partial<Record<StopReason, string>> = {
  max_tokens: "The answer is cut off: the model reached its output limit.",
  max_turn_requests:
    "Stopped: the maximum number of model requests was reached (--max-turns, or the setting max_turns).",
  budget: "Stopped: the agent used up its budget.",
  loop: "Stopped: the model was stuck in a loop.",
  refusal: "The model refused to answer.",
  cancelled: "The turn was cancelled.",
};

/** Failures that may not occur again if the run is repeated. */
const passing: ReadonlySet<string> = new Set(["network", "rateLimit"]);

const subtypes: Partial<Record<ExitReason, RunResult["subtype"]>> = {
  done: "success",
  denied: "denied",
  limit: "limit",
  interrupted: "cancelled",
  terminated: "cancelled",
  hungUp: "cancelled",
};

import {
  type Cost,
  type StoredFact,
  type ToolCallPart,
  type ToolOutcome,
  textOf,
  type UpdateOf,
  type Usage,
} from "@harness/protocol";
import { endingOf, thoughtsOf } from "./conversation.ts";

type AtifMetrics = {
  prompt_tokens?: number;
  completion_tokens?: number;
  cached_tokens?: number;
  cost_usd?: number;
  extra?: Record<string, unknown>;
};

type AtifResult = {
  source_call_id?: string;
  content?: string;
  subagent_trajectory_ref?: { trajectory_id: string }[];
  extra?: Record<string, unknown>;
};

/** A step without its number. */
export type AtifStep = {
  timestamp?: string;
  source: "system" | "user" | "agent";
  message: string;
  model_name?: string;
  reasoning_content?: string;
  tool_calls?: { tool_call_id: string; function_name: string; arguments: object; extra?: Record<string, unknown> }[];
  observation?: { results: AtifResult[] };
  metrics?: AtifMetrics;
  llm_call_count?: number;
  is_copied_context?: true;
  extra?: Record<string, unknown>;
};

type Options = {
  /** Ids of trajectories, by the call that started them. */
  refs: ReadonlyMap<string, readonly string[]>;
  /** Calls whose results may precede their reply. */
  early: ReadonlySet<string>;
};

/** `isCopied`: from the session that this one was forked from. `isRewound`: hidden by a rewind. */
type StepMarks = { isCopied?: boolean; isRewound?: boolean };

/** Turns one agent's facts into steps: a reply waits for the results of its calls. */
export class AtifSteps {
  readonly #options: Options;
  readonly #early = new Map<string, AtifResult>();
  #marks: StepMarks = {};
  /** Steps that arrived while the open step's calls were running. */
  #after: AtifStep[] = [];
  #open: { step: AtifStep; calls: string[]; results: Map<string, AtifResult> } | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  *take({ at, update }: StoredFact, marks: StepMarks = {}): Generator<AtifStep, void> {
    this.#marks = marks;
    switch (update.sessionUpdate) {
      case "user_message":
        yield* this.#place(messageStep(at, update));
        return;
      case "agent_message":
        yield* this.end();
        this.#begin(at, update);
        return;
      case "tool_call_update":
        yield* this.#call(at, update);
        return;
      case "compaction_update":
        yield* this.#place({ ...timeOf(at), source: "system", message: update.summary, extra: { kind: "summary" } });
        return;
      case "state_update":
        for (const step of endSteps(at, update)) yield* this.#place(step);
        return;
      default:
        return;
    }
  }

  /** The last steps. */
  *end(): Generator<AtifStep, void> {
    const open = this.#open;
    const after = this.#after;
    this.#open = undefined;
    this.#after = [];
    if (open) {
      const results = open.calls.flatMap((id) => open.results.get(id) ?? []);
      yield { ...open.step, ...(results.length > 0 ? { observation: { results } } : {}) };
    }
    yield* after;
  }

  /** Messages and commands of the user wait while calls run, because results are still to come. */
  *#place(plain: AtifStep): Generator<AtifStep, void> {
    const step = marked(plain, this.#marks);
    if (this.#open?.calls.some((id) => !this.#open?.results.has(id))) {
      this.#after.push(step);
      return;
    }
    yield* this.end();
    yield step;
  }

  #begin(at: string, reply: UpdateOf<"agent_message">): void {
    const parts = reply.parts.filter((part) => part.type === "tool_call");
    const calls = parts.map(({ toolCallId }) => toolCallId);
    const results = new Map<string, AtifResult>();
    for (const id of calls) {
      const early = this.#early.get(id);
      if (early) results.set(id, early);
    }
    this.#early.clear();
    this.#open = { step: marked(replyStep(at, reply, parts), this.#marks), calls, results };
  }

  *#call(at: string, update: UpdateOf<"tool_call_update">): Generator<AtifStep, void> {
    const { toolCallId, outcome, byPerson } = update;
    if (!outcome) return;
    const result = resultOf(toolCallId, outcome, this.#options.refs.get(toolCallId));
    if (this.#open?.calls.includes(toolCallId)) this.#open.results.set(toolCallId, result);
    else if (this.#options.early.has(toolCallId)) this.#early.set(toolCallId, result);
    else if (byPerson)
      yield* this.#place({ ...timeOf(at), source: "user", message: `! ${byPerson.command}\n${outcome.text}` });
  }
}

function marked(step: AtifStep, { isCopied, isRewound }: StepMarks): AtifStep {
  return {
    ...step,
    ...(isCopied ? { is_copied_context: true as const } : {}),
    ...(isRewound ? { extra: { ...step.extra, rewound: true } } : {}),
  };
}

/** The text that replaces the model's last message, and why the turn ended early. */
function endSteps(at: string, update: UpdateOf<"state_update">): AtifStep[] {
  const { output, stopReason, error } = update;
  const sentence = endingOf(update);
  const extra = {
    kind: "end_of_turn",
    ...(stopReason === undefined ? {} : { stop_reason: stopReason }),
    ...(error === undefined ? {} : { error: error.kind }),
  };
  return [
    ...(output
      ? [{ ...timeOf(at), source: "agent" as const, message: output, llm_call_count: 0, extra: { kind: "output" } }]
      : []),
    ...(sentence === undefined ? [] : [{ ...timeOf(at), source: "system" as const, message: sentence, extra }]),
  ];
}

function messageStep(
  at: string,
  { content, attached = [], origin, kind, fromAgentId }: UpdateOf<"user_message">,
): AtifStep {
  const images = [...content, ...attached].filter(({ type }) => type === "image").length;
  const isPerson = origin === "user" && kind === undefined;
  const extra = {
    ...(isPerson ? {} : { origin }),
    ...(kind === undefined ? {} : { kind }),
    ...(fromAgentId === undefined ? {} : { from: fromAgentId }),
    ...(images > 0 ? { images } : {}),
  };
  return {
    ...timeOf(at),
    source: origin === "harness" ? "system" : "user",
    message: [textOf(content), textOf(attached)].filter((text) => text !== "").join("\n\n"),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

function replyStep(at: string, reply: UpdateOf<"agent_message">, calls: readonly ToolCallPart[]): AtifStep {
  const { parts, model, provider, stop, usage = {}, cost } = reply;
  const thoughts = thoughtsOf(parts);
  const metrics = metricsOf(usage, cost);
  return {
    ...timeOf(at),
    source: "agent",
    message: textOf(parts),
    model_name: model,
    ...(thoughts === "" ? {} : { reasoning_content: thoughts }),
    ...(calls.length > 0 ? { tool_calls: calls.map(callOf) } : {}),
    ...(Object.keys(metrics).length > 0 ? { metrics } : {}),
    llm_call_count: 1,
    extra: { provider, stop },
  };
}

function callOf({ toolCallId, name, input, inputText }: ToolCallPart) {
  return {
    tool_call_id: toolCallId,
    function_name: name,
    arguments: input ?? {},
    // The arguments that the model wrote are not an object.
    ...(inputText === undefined ? {} : { extra: { arguments_text: inputText } }),
  };
}

function resultOf(
  callId: string,
  { text, status, images = [] }: ToolOutcome,
  refs: readonly string[] = [],
): AtifResult {
  const extra = { ...(status === "ok" ? {} : { status }), ...(images.length > 0 ? { images: images.length } : {}) };
  return {
    source_call_id: callId,
    content: text,
    ...(refs.length > 0 ? { subagent_trajectory_ref: refs.map((id) => ({ trajectory_id: id })) } : {}),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

/** Unknown counts are left out; a cost that is known only in part counts as unknown. */
export function metricsOf(usage: Usage, cost: Cost | undefined): AtifMetrics {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  const extra = {
    ...(cacheWriteTokens === undefined ? {} : { cache_write_tokens: cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoning_tokens: reasoningTokens }),
  };
  return {
    ...(inputTokens === undefined ? {} : { prompt_tokens: inputTokens }),
    ...(outputTokens === undefined ? {} : { completion_tokens: outputTokens }),
    ...(cacheReadTokens === undefined ? {} : { cached_tokens: cacheReadTokens }),
    ...(cost === undefined || cost.unpricedRequests > 0 ? {} : { cost_usd: cost.usd }),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

/** A log may contain anything as a time. */
function timeOf(at: string): { timestamp?: string } {
  return Number.isNaN(Date.parse(at)) ? {} : { timestamp: new Date(at).toISOString() };
}

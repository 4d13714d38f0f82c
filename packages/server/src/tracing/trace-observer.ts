import type { RequestOrigin, SideEnd, SidePurpose } from "@harness/core";
import { type Failure, ROOT_AGENT, type SessionUpdate, type UpdateOf, type Usage } from "@harness/protocol";
import type { EndedSpan, SpanAttributes, SpanPublisher } from "./span-publisher.ts";
import { readTraceparent, spanIdOf, type TraceContext, traceIdOf, traceparentText } from "./trace-context.ts";

export type TraceObserverDeps = {
  /** The trace that the process was started in, as W3C trace context. */
  traceparent: string | undefined;
  spans: Pick<SpanPublisher, "add" | "flush">;
  now(): number;
  later(ms: number, work: () => void): () => void;
};

export type BesideRequest = RequestOrigin & { purpose: SidePurpose };
type OpenSpan = { spanId: string; startMs: number; attributes: SpanAttributes };
type AgentTrace = {
  turn: OpenSpan | undefined;
  request: OpenSpan | undefined;
  parentSpanId: string | undefined;
  name: string;
};
type SessionTrace = {
  /** Of the running turn of the main agent. */
  context: TraceContext | undefined;
  /** The trace of the client that sends the next message. */
  next: TraceContext | undefined;
  agents: Map<string, AgentTrace>;
  calls: Map<string, OpenSpan & { agentId: string; name: string }>;
};

/** How long the end of a session waits for its last spans. */
const FLUSH_MS = 1_000;

/**
 * Spans of turns, requests, calls and subagents, with the names of the semantic conventions for generative AI
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/). Of what is said, read and run there is nothing in them.
 */
export class TraceObserver {
  readonly #deps: TraceObserverDeps;
  readonly #sessions = new Map<string, SessionTrace>();
  /** How many requests beside conversations have ended: several may begin at once. */
  #beside = 0;
  readonly #outer: TraceContext | undefined;

  constructor(deps: TraceObserverDeps) {
    this.#deps = deps;
    this.#outer = readTraceparent(deps.traceparent);
  }

  follow(sessionId: string, traceparent: string): void {
    this.#session(sessionId).next = readTraceparent(traceparent);
  }

  traceparentOf(sessionId: string, toolCallId: string): string | undefined {
    const { context } = this.#session(sessionId);
    return context && traceparentText({ ...context, spanId: spanIdOf("call", sessionId, toolCallId) });
  }

  requestSent(sessionId: string, { agentId, provider, model }: RequestOrigin): void {
    const agent = this.#agent(sessionId, agentId);
    // A retry without a word of the reply goes on with the same span.
    if (agent.request || !agent.turn) return;
    const startMs = this.#deps.now();
    agent.request = {
      spanId: spanIdOf("request", sessionId, agentId, String(startMs)),
      startMs,
      attributes: { "gen_ai.provider.name": provider, "gen_ai.request.model": model },
    };
  }

  /** A request beside the conversations has ended, perhaps after the turn that it belongs to. */
  requestBeside(
    sessionId: string,
    { agentId, provider, model, purpose }: BesideRequest,
    { startMs, endMs, usage, stop, failure }: SideEnd & { startMs: number; endMs: number },
  ): void {
    const { context } = this.#session(sessionId);
    const place = { sessionId, agentId, turnId: undefined, atMs: endMs };
    this.#beside += 1;
    this.#end(place, {
      spanId: spanIdOf("beside", sessionId, agentId, purpose, `${startMs} ${this.#beside}`),
      ...{ startMs, name: `chat ${model}`, kind: "client" },
      parentSpanId: this.#agent(sessionId, agentId).turn?.spanId ?? context?.spanId,
      attributes: {
        ...{ "gen_ai.operation.name": "chat", "gen_ai.provider.name": provider, "gen_ai.request.model": model },
        ...{ "harness.request.purpose": purpose, ...usageAttributes(usage) },
        ...(stop === undefined ? {} : { "gen_ai.response.finish_reasons": [stop] }),
      },
      ...(failure === undefined ? {} : { failure }),
    });
  }

  see({ sessionId, agentId, turnId, at, update }: SessionUpdate): void {
    const atMs = at === undefined ? this.#deps.now() : Date.parse(at);
    const place = { sessionId, agentId, turnId, atMs };
    switch (update.sessionUpdate) {
      case "state_update":
        if (update.state === "running") this.#turnBegins(place);
        else if (update.state === "idle") this.#turnEnds(place, update);
        return;
      case "subagent_update":
        this.#subagent(place, update);
        return;
      case "agent_message":
        this.#requestEnds(place, { ...usageAttributes(update.usage), "gen_ai.response.finish_reasons": [update.stop] });
        return;
      case "retry":
        this.#requestEnds(place, {}, update.error.kind);
        return;
      case "tool_call_update":
        this.#call(place, update);
        return;
    }
  }

  /** Sends what is left, within a second. */
  async closed(sessionId: string): Promise<void> {
    this.#sessions.delete(sessionId);
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#deps.later(FLUSH_MS, resolve);
    await Promise.race([this.#deps.spans.flush(), promise]);
    cancel();
  }

  #subagent(
    { sessionId, agentId }: UpdateOrigin,
    { childAgentId, toolCallId, name }: UpdateOf<"subagent_update">,
  ): void {
    const parent = this.#agent(sessionId, agentId).turn?.spanId;
    const child = this.#agent(sessionId, childAgentId);
    child.parentSpanId = toolCallId === undefined ? parent : spanIdOf("call", sessionId, toolCallId);
    child.name = name ?? "subagent";
  }

  #turnBegins({ sessionId, agentId, turnId = "", atMs }: UpdateOrigin): void {
    const session = this.#session(sessionId);
    const agent = this.#agent(sessionId, agentId);
    if (agent.turn) return;
    const spanId = spanIdOf("turn", sessionId, agentId, turnId);
    if (agentId === ROOT_AGENT) {
      const outer = session.next ?? this.#outer;
      session.next = undefined;
      session.context = {
        traceId: outer?.traceId ?? traceIdOf(sessionId, turnId),
        spanId,
        isSampled: outer?.isSampled ?? true,
      };
      agent.parentSpanId = outer?.spanId;
    }
    agent.turn = { spanId, startMs: atMs, attributes: {} };
  }

  #turnEnds(place: UpdateOrigin, { stopReason, error, usage }: UpdateOf<"state_update">): void {
    const agent = this.#agent(place.sessionId, place.agentId);
    this.#requestEnds(place, {}, error?.kind ?? stopReason ?? "cancelled");
    const { turn } = agent;
    if (!turn) return;
    agent.turn = undefined;
    const { name } = agent;
    this.#end(place, {
      ...turn,
      ...{ name: `invoke_agent ${name}`, kind: "internal", parentSpanId: agent.parentSpanId },
      attributes: {
        ...{ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name, "gen_ai.agent.id": place.agentId },
        ...usageAttributes(usage),
        "harness.stop_reason": stopReason,
      },
      ...failureOf(error),
    });
  }

  /** Of an agent that has sent none, nothing ends. */
  #requestEnds(place: UpdateOrigin, attributes: SpanAttributes, failure?: string): void {
    const agent = this.#agent(place.sessionId, place.agentId);
    const { request, turn } = agent;
    if (!request) return;
    agent.request = undefined;
    this.#end(place, {
      ...request,
      ...{ name: `chat ${request.attributes["gen_ai.request.model"]}`, kind: "client", parentSpanId: turn?.spanId },
      attributes: { "gen_ai.operation.name": "chat", ...request.attributes, ...attributes },
      ...(failure === undefined ? {} : { failure }),
    });
  }

  #call(place: UpdateOrigin, { toolCallId, status, name, outcome, byPerson }: UpdateOf<"tool_call_update">): void {
    const { sessionId, agentId, atMs } = place;
    const { calls } = this.#session(sessionId);
    const known = calls.get(toolCallId);
    if (byPerson || (!known && name === undefined)) return;
    const call = known ?? {
      spanId: spanIdOf("call", sessionId, toolCallId),
      ...{ startMs: atMs, attributes: {}, agentId, name: name ?? "" },
    };
    // Waiting for a permission is not the tool's time.
    calls.set(toolCallId, status === "in_progress" ? { ...call, startMs: atMs } : call);
    if (!outcome) return;
    calls.delete(toolCallId);
    this.#end(place, {
      ...call,
      ...{ name: `execute_tool ${call.name}`, kind: "internal" },
      parentSpanId: this.#agent(sessionId, call.agentId).turn?.spanId,
      attributes: {
        ...{
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": call.name,
          "gen_ai.tool.call.id": toolCallId,
        },
        "harness.tool.status": outcome.status,
      },
      ...(outcome.status === "ok" ? {} : { failure: outcome.status }),
    });
  }

  #end({ sessionId, atMs }: UpdateOrigin, span: Omit<EndedSpan, "traceId" | "endMs">): void {
    const { context } = this.#session(sessionId);
    if (!context?.isSampled) return;
    const attributes = { "gen_ai.conversation.id": sessionId, ...span.attributes };
    this.#deps.spans.add({ ...span, attributes, traceId: context.traceId, endMs: atMs });
  }

  #session(sessionId: string): SessionTrace {
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const made: SessionTrace = { context: undefined, next: undefined, agents: new Map(), calls: new Map() };
    this.#sessions.set(sessionId, made);
    return made;
  }

  #agent(sessionId: string, agentId: string): AgentTrace {
    const { agents } = this.#session(sessionId);
    const known = agents.get(agentId);
    if (known) return known;
    const made: AgentTrace = { name: "harness", turn: undefined, request: undefined, parentSpanId: undefined };
    agents.set(agentId, made);
    return made;
  }
}

type UpdateOrigin = { sessionId: string; agentId: string; turnId: string | undefined; atMs: number };

function usageAttributes({ inputTokens, outputTokens, cacheReadTokens }: Usage = {}): SpanAttributes {
  return {
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    "gen_ai.usage.cache_read.input_tokens": cacheReadTokens,
  };
}

function failureOf(error: Failure | undefined): { failure?: string } {
  return error ? { failure: error.kind } : {};
}

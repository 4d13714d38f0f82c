import type { AgentPart, Content, Failure, Price, RepairKind, Stop, ToolMode, Usage } from "@harness/protocol";

/** A tool as the model is told of it. `inputSchema` is JSON Schema 2020-12. */
export type ToolSpec = { name: string; description: string; inputSchema: Record<string, unknown> };

/** The conversation as every wire API can express it. Each tool call is followed by exactly one tool message. */
export type ModelMessage =
  | { role: "user"; content: Content[] }
  /** `provider` and `model` wrote it: another vendor must not be sent its signatures. */
  | { role: "assistant"; parts: AgentPart[]; provider?: string; model?: string }
  | { role: "tool"; toolCallId: string; name: string; text: string; images?: Content[]; isError: boolean };

export type ModelRequest = {
  model: string;
  system: string;
  messages: ModelMessage[];
  tools: ToolSpec[];
  maxOutputTokens?: number;
  temperature?: number;
  effort?: string;
  /** The window to ask a local server for, constant for a session (Ollama `num_ctx`). */
  windowTokens?: number;
  /** What the whole answer must fit, where the server can hold a model to that (JSON Schema). */
  responseSchema?: Record<string, unknown>;
  /** Requests of the same lane share their beginning: one agent of one session. Servers keep what they read by it. */
  lane?: string;
  /** Where a server with numbered slots should work on it: the one that holds this lane's beginning, if any does. */
  slot?: number;
  /** Who waits for it: a turn goes before a subagent, a subagent before titles and summaries. */
  priority: "turn" | "subagent" | "background";
};

/**
 * What a provider streams. The last event is `end` or `failed`, and nothing comes after it. `retry` says that all
 * deltas so far are void and the request is sent again. The parts of `end` are authoritative over the deltas.
 * `status` comes before the first delta only. `repair` tells of something mended in the parts of `end`.
 * `failed` after some text carries what had arrived, for people to see; it must not be sent to a model.
 */
export type ModelEvent =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | { type: "tool_input"; toolCallId: string; name: string; text: string }
  | { type: "status"; phase: "queued"; ahead: number; slots: number }
  | { type: "status"; phase: "prefill"; doneTokens?: number; totalTokens?: number }
  | { type: "repair"; what: RepairKind; toolCallId?: string; detail: string }
  | { type: "retry"; attempt: number; maxAttempts: number; delayMs: number; failure: Failure }
  | { type: "end"; parts: AgentPart[]; stop: Stop; usage?: Usage }
  | { type: "failed"; failure: Failure; parts?: AgentPart[] };

/** A vendor ready to answer. `stream` never throws; an abort ends it with `end`, stop `cut`, and what had arrived. */
export interface Provider {
  readonly id: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** The context window, in tokens, and who says so. */
export type ContextWindow = { tokens: number; source: "setting" | "server" | "table" | "assumed" };

/** What an agent sends its requests with. */
export type ModelChoice = {
  provider: Provider;
  model: string;
  window: ContextWindow;
  effort?: string;
  /** The most that a reply may have; absent: the vendor's own limit. */
  maxOutputTokens?: number;
  /** Absent: unknown. */
  price?: Price;
  /** How tools are offered; people are told when it is not native. */
  toolMode?: ToolMode;
  /** How the person gives the server a larger window, as a sentence: said when it read only a part of a prompt. */
  windowAdvice?: string;
  /** In words: the choice is not quite what was asked for. */
  warning?: string;
};

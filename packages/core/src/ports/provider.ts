import type { AgentPart, Content, Failure, Stop, Usage } from "@harness/protocol";

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
  /** Who waits for it: a turn goes before a subagent, a subagent before titles and summaries. */
  priority: "turn" | "subagent" | "background";
};

/**
 * What a provider streams. The last event is `end` or `failed`, and nothing comes after it. `retry` says that all
 * deltas so far are void and the request is sent again. The parts of `end` are authoritative over the deltas.
 * `failed` after some text carries what had arrived, for people to see; it must not be sent to a model.
 */
export type ModelEvent =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | { type: "tool_input"; toolCallId: string; name: string; text: string }
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
  /** In words: the choice is not quite what was asked for. */
  warning?: string;
};

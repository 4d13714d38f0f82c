import type { AgentPart, Content, Failure, Usage } from "@harness/protocol";

// Requests to a model file and its answers, in the same shapes as for any provider program.

export type Message =
  | { role: "user"; content: Content[] }
  | { role: "assistant"; parts: AgentPart[]; provider?: string; model?: string }
  | { role: "tool"; toolCallId: string; name: string; text: string; images?: Content[]; isError: boolean };

export type GenerateRequest = {
  model: string;
  system: string;
  messages: readonly Message[];
  tools: readonly { name: string; description: string; inputSchema: Record<string, unknown> }[];
  maxOutputTokens?: number;
  temperature?: number;
  effort?: string;
  /** The JSON Schema that the whole answer must fit. */
  responseSchema?: Record<string, unknown>;
  /** The slot that holds the beginning of this conversation. */
  slot?: number;
};

/** The last event is `end` or `failed`. Failures here are permanent, so nothing is retried. */
export type GenerateEvent =
  | { type: "text" | "thinking"; text: string }
  | { type: "tool_input"; toolCallId: string; name: string; text: string }
  | { type: "status"; phase: "prefill"; doneTokens: number; totalTokens: number }
  | { type: "end"; parts: AgentPart[]; stop: "end" | "tool_calls" | "length" | "cut"; usage?: Usage }
  | { type: "failed"; failure: Failure; parts?: AgentPart[]; retryable: false };

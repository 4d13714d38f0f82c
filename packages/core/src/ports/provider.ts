import type {
  AgentPart,
  Content,
  ContextWindowSource,
  Failure,
  Price,
  RepairKind,
  Stop,
  ToolCallPart,
  ToolMode,
  Usage,
} from "@harness/protocol";

/** A tool as requests describe it to the model. `inputSchema` is JSON Schema 2020-12. */
export type ToolSpec = { name: string; description: string; inputSchema: Record<string, unknown> };

/** The conversation as every wire API can express it. Each tool call is followed by exactly one tool message. */
export type ModelMessage =
  | { role: "user"; content: Content[] }
  /** `provider` and `model` are its author; a different vendor must not get its signatures. */
  | { role: "assistant"; parts: AgentPart[]; provider?: string; model?: string }
  | { role: "tool"; toolCallId: string; name: string; text: string; images?: Content[]; isError: boolean };

/** The exact bytes for a server or a program; `address` is for people. */
export type SentBody = { address: string; body: string; form?: SentForm };

/** How a wire API came to its body: `refused` names fields and forms that its server has refused before. */
export type SentForm = {
  refused: readonly string[];
  /** The request as the layers above the wire API have passed it on. */
  request: ModelRequest;
  /** The body before it was written as JSON. */
  fields: Readonly<Record<string, unknown>>;
};

export type ModelRequest = {
  model: string;
  system: string;
  messages: ModelMessage[];
  tools: ToolSpec[];
  /**
   * Tools whose descriptions come from third parties. Not sent: if a server refuses a schema, these are the first
   * suspects.
   */
  foreignTools?: readonly string[];
  /** Names that other programs have for the tools, by tool. Not sent, but recognized in calls written as text. */
  toolAliases?: Readonly<Record<string, string>>;
  maxOutputTokens?: number;
  temperature?: number;
  effort?: string;
  /** The context window to request from a local server, constant for a session (Ollama `num_ctx`). */
  contextWindow?: number;
  /** A JSON Schema for the whole answer, if the server can enforce one. */
  responseSchema?: Record<string, unknown>;
  /**
   * Requests of one lane (an agent of a session) share their beginning, which lets servers reuse their prompt cache.
   */
  lane?: string;
  /** The slot of a server that holds this lane's beginning, if any does. */
  slot?: number;
  /** The priority in the queue: a turn before a subagent, a subagent before titles and summaries. */
  priority: "turn" | "subagent" | "background";
  /** Called for each attempt with what is sent: a retry may use other fields. */
  onSent?: (sent: SentBody) => void;
};

/** Why a server refused a request: because of an image, or for a reason that its message does not make clear. */
export type RefusedFor = "picture" | "unclear";

/**
 * Events of a reply. The last one is `end` or `failed`. `retry` voids all deltas so far: the request is sent again.
 * `call` is a call that is complete although the reply goes on: nothing later changes it, and it is among the parts of
 * `end`. The parts of `end` replace the deltas. `status` comes only before the first delta. `repair` reports a repair
 * in the parts of `end`. `left_out` names tools that the request went without, because the server does not accept them.
 * `failed` carries what had arrived, for people only; it must not be sent to a model. With `refusedFor` the same
 * messages would be refused again.
 */
export type ModelEvent =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | { type: "tool_input"; toolCallId: string; name: string; text: string }
  | { type: "call"; part: ToolCallPart }
  | { type: "status"; phase: "queued"; ahead: number; slots: number }
  | { type: "status"; phase: "loading" | "reconnecting" }
  | { type: "status"; phase: "prefill"; doneTokens?: number; totalTokens?: number }
  | { type: "repair"; what: RepairKind; toolCallId?: string; detail: string }
  | { type: "left_out"; tools: string[]; reason: string }
  | { type: "retry"; attempt: number; maxAttempts: number; delayMs: number; failure: Failure }
  /** `oddEnd`: the server's word for the end, if it is not known to mean a complete reply. */
  | { type: "end"; parts: AgentPart[]; stop: Stop; oddEnd?: string; usage?: Usage }
  | { type: "failed"; failure: Failure; parts?: AgentPart[]; refusedFor?: RefusedFor };

/**
 * Streams replies of a vendor's models. `stream` never throws; an abort ends it with `end`, stop `cut`, and what had
 * arrived.
 */
export interface Provider {
  readonly id: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** The context window in tokens, and where the number comes from. */
export type ContextWindow = { tokens: number; source: ContextWindowSource };

/** The model that an agent sends its requests to, and how. */
export type ModelChoice = {
  provider: Provider;
  model: string;
  contextWindow: ContextWindow;
  effort?: string;
  /** Maximum output tokens; if absent, the vendor's own limit. */
  maxOutputTokens?: number;
  /** Absent if unknown. */
  price?: Price;
  /** How tools are offered; the user is notified if it is not native. */
  toolMode?: ToolMode;
  /** Advice on how to give the server a larger context window, for when it read only part of a prompt. */
  contextWindowAdvice?: string;
  /** A request beside a conversation neither makes it wait nor drops its prompt cache. */
  hasSpareSlots?: true;
  /** For people, if the choice differs from the requested one. */
  warning?: string;
  /** Nobody listened at the server's address: why, as a sentence. A request may find it running again. */
  away?: string;
  /**
   * Loads the model into its server's memory, for servers that load models on request, and returns its context window
   * there. Undefined if the server does not say. Rejects only with the reason of the signal.
   */
  load?(watch: LoadingWatch): Promise<LoadedModel | { failure: Failure } | undefined>;
};

/** `onLoading` is called if there is something to wait for. */
export type LoadingWatch = { signal: AbortSignal; onLoading(): void };

export type LoadedModel = Pick<ModelChoice, "contextWindow" | "warning">;

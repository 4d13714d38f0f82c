/** A server's question to the user: values for a form, or to open an address. Forms never ask for secrets. */
export type McpQuestion = {
  readonly server: string /** The tool that runs. */;
  readonly tool?: string;
  readonly message: string;
} & (
  | {
      readonly kind: "form" /** JSON Schema: an object of plain values. */;
      readonly schema: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "url"; readonly url: string }
);

export type McpAnswer =
  | { action: "accept"; content?: Record<string, string | number | boolean | string[]> }
  | { action: "decline" }
  | { action: "cancel" };

/** Asks the user who works with the session. Declines if nobody can be asked. Never rejects. */
export type McpAsk = (question: McpQuestion, signal: AbortSignal) => Promise<McpAnswer>;

/** A server's request to the model, as in the protocol. */
export type McpSampling = { readonly server: string; readonly params: Readonly<Record<string, unknown>> };

/** `refused`: why, as the beginning of a sentence. */
export type McpSampled =
  | { readonly text: string; readonly model: string; readonly stopReason: "endTurn" | "maxTokens" | "stopSequence" }
  | { readonly refused: string };

/** Lets the model answer a server, if the user allows it. Rejects only if the session can no longer be saved. */
export type McpSample = (request: McpSampling, signal: AbortSignal) => Promise<McpSampled>;

/** The things that servers may ask of harness. */
export type McpPeople = {
  readonly ask: McpAsk;
  /** The folders that a server may treat as its own, absolute. */
  roots(): readonly string[];
};

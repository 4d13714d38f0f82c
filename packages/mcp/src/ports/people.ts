/** What a server asks the person: values for a form, or to open an address. Never for secrets in a form. */
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

/** Asks the person who works with the session. Declines where nobody can be asked. Never rejects. */
export type McpAsk = (question: McpQuestion, signal: AbortSignal) => Promise<McpAnswer>;

/** What a server asks the model, in the form of the protocol. */
export type McpSampling = { readonly server: string; readonly params: Readonly<Record<string, unknown>> };

/** `refused`: why, as the beginning of a sentence. */
export type McpSampled =
  | { readonly text: string; readonly model: string; readonly stopReason: "endTurn" | "maxTokens" | "stopSequence" }
  | { readonly refused: string };

/** Has the model answer a server, if the person lets it. Rejects only where the session cannot be saved any more. */
export type McpSample = (request: McpSampling, signal: AbortSignal) => Promise<McpSampled>;

/** What servers may ask of harness. */
export type McpPeople = {
  readonly ask: McpAsk;
  /** The folders that a server may take for its own, absolute. */
  roots(): readonly string[];
};

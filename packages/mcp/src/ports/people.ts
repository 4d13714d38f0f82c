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

export type McpSampling = { readonly server: string; readonly params: Readonly<Record<string, unknown>> };

/** What servers may ask of harness. */
export type McpPeople = {
  readonly ask: McpAsk;
  /** The folders that a server may take for its own, absolute. */
  roots(): readonly string[];
  /** Answers as a model, in the form of the protocol; undefined: servers are told that it is not possible. */
  readonly sample: ((request: McpSampling, signal: AbortSignal) => Promise<Record<string, unknown>>) | undefined;
};

/** The wire formats of models, as harness names them. */
export type WireFormat = "openai-chat" | "openai-responses" | "anthropic" | "ollama";

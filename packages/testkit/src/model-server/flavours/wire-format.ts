/** The formats that models are spoken to in, as harness names them. */
export type WireFormat = "openai-chat" | "openai-responses" | "anthropic" | "ollama";

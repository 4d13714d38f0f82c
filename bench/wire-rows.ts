import type { Flavour } from "@harness/testkit";

const message = { role: "user", content: "go" };
const asked = { model: "scripted-model", stream: true };

/** How each wire API is spoken, and by which scripted server. */
export type WireRow = {
  name: string;
  /** The vendor's id, too. */
  flavour: Flavour;
  /** The name of the API in a `.conf` file. */
  protocol: "openai" | "responses" | "anthropic" | "ollama";
  /** Where the base URL for it ends. */
  base: string;
  /** Below the base URL. */
  path: string;
  /** The least that it takes to be answered. */
  body: object;
};

export const wireRows: readonly WireRow[] = [
  {
    name: "chat",
    flavour: "openai",
    protocol: "openai",
    base: "/v1",
    path: "/chat/completions",
    body: { ...asked, messages: [message] },
  },
  {
    name: "responses",
    flavour: "openai",
    protocol: "responses",
    base: "/v1",
    path: "/responses",
    body: { ...asked, input: "go", store: false },
  },
  {
    name: "messages",
    flavour: "anthropic",
    protocol: "anthropic",
    base: "/v1",
    path: "/messages",
    body: { ...asked, max_tokens: 64, messages: [message] },
  },
  {
    name: "Ollama",
    flavour: "ollama",
    protocol: "ollama",
    base: "",
    path: "/api/chat",
    body: { ...asked, messages: [message] },
  },
];

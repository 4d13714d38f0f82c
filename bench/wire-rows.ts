import type { Flavour } from "@harness/testkit";

const message = { role: "user", content: "go" };
const asked = { model: "scripted-model", stream: true };

/** The format of each wire API, and its scripted server. */
export type WireRow = {
  name: string;
  /** Also the vendor's id. */
  flavour: Flavour;
  /** The name of the API in a `.conf` file. */
  protocol: "openai" | "responses" | "anthropic" | "ollama";
  /** The path at the end of its base URL. */
  base: string;
  /** Relative to the base URL. */
  path: string;
  /** The smallest valid request. */
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

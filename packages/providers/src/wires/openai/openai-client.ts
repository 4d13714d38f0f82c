import type { OpenAI } from "openai/client";
import type { Endpoint } from "../endpoint/endpoint.ts";

/** The vendor's client, loaded when it is first needed. It sends each request once, without its own identification. */
export async function openAiClient(endpoint: Endpoint, send: typeof fetch): Promise<OpenAI> {
  const { OpenAI } = await import("openai/client");
  return new OpenAI({
    baseURL: endpoint.baseUrl,
    // The exchange puts the real key in, or none.
    apiKey: "none",
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: "off",
    fetch: send,
  });
}

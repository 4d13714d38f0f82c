import type { OpenAI } from "openai/client";
import type { Endpoint } from "../endpoint/endpoint.ts";

/** The vendor's client, loaded on first use. It sends each request once, without identifying itself. */
export async function openAiClient(endpoint: Endpoint, send: typeof fetch): Promise<OpenAI> {
  const { OpenAI } = await import("openai/client");
  return new OpenAI({
    baseURL: endpoint.baseUrl,
    // The exchange inserts the real key, or none.
    apiKey: "none",
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: "off",
    fetch: send,
  });
}

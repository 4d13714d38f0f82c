import type { Ollama } from "ollama/browser";
import type { Endpoint } from "../endpoint/endpoint.ts";

/**
 * The vendor's client, loaded on first use: its browser build, because the default one may treat the text of an image as
 * a file path and read that file.
 */
export async function ollamaClient({ baseUrl }: Endpoint, send: typeof fetch): Promise<Ollama> {
  const { Ollama } = await import("ollama/browser");
  return new Ollama({ host: baseUrl, fetch: send });
}

import type { WireName } from "./endpoint/vendor.ts";
import type { WireApi } from "./wire-api.ts";

/** One row per wire API; each is loaded on first use. */
const wires: Readonly<Record<WireName, () => Promise<WireApi>>> = {
  "openai-chat": async () => (await import("./openai/openai-chat.ts")).openAiChat,
  "openai-responses": async () => (await import("./openai/openai-responses.ts")).openAiResponses,
  anthropic: async () => (await import("./anthropic/anthropic-messages.ts")).anthropicMessages,
  ollama: async () => (await import("./ollama/ollama.ts")).ollamaChat,
};

export const wireNames = Object.keys(wires) as WireName[];

export function wireOf(name: WireName): Promise<WireApi> {
  return wires[name]();
}

/** All of them, for a reply whose format only its first event shows. */
export async function everyWire(): Promise<Readonly<Record<WireName, WireApi>>> {
  const loaded = await Promise.all(wireNames.map(async (name) => [name, await wireOf(name)] as const));
  return Object.fromEntries(loaded) as Record<WireName, WireApi>;
}

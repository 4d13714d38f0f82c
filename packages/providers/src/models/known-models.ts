import type { ModelAbilities, Price } from "@harness/protocol";

/** Facts about well-known hosted models. For models of a private server, the server decides. */
export type KnownModel = {
  /** The beginning of the name, without the maker's prefix; the longest match counts. */
  match: string;
  /** The maker's vendor: the price only applies there. */
  by?: string;
  windowTokens?: number;
  /** The maximum length of a reply. */
  outputTokens?: number;
  /** Absent: unknown, or dependent on more than the tokens. */
  price?: Price;
  abilities?: ModelAbilities;
  /** Common short names; `match` is then the full name. */
  aliases?: readonly string[];
};

/** When the rows were compared with the vendors' pages (models and pricing) and with models.dev. */
export const KNOWN_MODELS_DATE = "2026-11-22";

const K = 1_000;
const M = 1_000_000;
const MI = 1_048_576;

const thinker: ModelAbilities = { tools: true, images: true, thinking: true };
const writer: ModelAbilities = { tools: true, images: true, thinking: false };
const textThinker: ModelAbilities = { tools: true, images: false, thinking: true };
const textWriter: ModelAbilities = { tools: true, images: false, thinking: false };

function row(
  by: string | undefined,
  match: string,
  windowTokens: number,
  outputTokens: number | undefined,
  more: Pick<KnownModel, "price" | "abilities" | "aliases"> = {},
): KnownModel {
  return { match, ...(by && { by }), windowTokens, ...(outputTokens && { outputTokens }), ...more };
}

/** Dollars per million tokens. */
function price(input: number, output: number, cacheRead?: number, cacheWrite?: number): { price: Price } {
  const cache = { ...(cacheRead !== undefined && { cacheRead }), ...(cacheWrite !== undefined && { cacheWrite }) };
  return { price: { input, output, ...cache } };
}

/** All of a request with a longer prompt has different prices. */
function longer(usual: { price: Price }, overTokens: number, long: { price: Price }): { price: Price } {
  return { price: { ...usual.price, longPrompt: { overTokens, ...long.price } } };
}

/** Grouped by maker, the newest first. */
export const knownModels: readonly KnownModel[] = [
  row("anthropic", "claude-opus-5-5", M, 128 * K, {
    ...price(4, 20, 0.2, 5),
    abilities: thinker,
    aliases: ["opus"],
  }),
  row("anthropic", "claude-sonnet-5-5", M, 128 * K, {
    ...price(2, 10, 0.1, 2.5),
    abilities: thinker,
    aliases: ["sonnet", "claude"],
  }),
  row("anthropic", "claude-fable-5-1", M, 128 * K, { abilities: thinker, aliases: ["fable"] }),
  row("anthropic", "claude-opus-5", M, 128 * K, { ...price(5, 25, 0.5, 6.25), abilities: thinker }),
  row("anthropic", "claude-sonnet-5", M, 128 * K, { ...price(2, 10, 0.2, 2.5), abilities: thinker }),
  row("anthropic", "claude-opus-4-8", M, 128 * K, { ...price(5, 25, 0.5, 6.25), abilities: thinker }),
  row("anthropic", "claude-opus-4-7", M, 128 * K, { ...price(5, 25, 0.5, 6.25), abilities: thinker }),
  row("anthropic", "claude-opus-4-6", M, 128 * K, { ...price(5, 25, 0.5, 6.25), abilities: thinker }),
  row("anthropic", "claude-sonnet-4-6", M, 64 * K, { ...price(3, 15, 0.3, 3.75), abilities: thinker }),
  row("anthropic", "claude-opus-4-5", 200 * K, 64 * K, { ...price(5, 25, 0.5, 6.25), abilities: thinker }),
  row("anthropic", "claude-haiku-4-5", 200 * K, 64 * K, {
    ...price(1, 5, 0.1, 1.25),
    abilities: thinker,
    aliases: ["haiku"],
  }),
  row("anthropic", "claude-sonnet-4-5", 200 * K, 64 * K, { ...price(3, 15, 0.3, 3.75), abilities: thinker }),
  row("anthropic", "claude-opus-4-1", 200 * K, 32 * K, { ...price(15, 75, 1.5, 18.75), abilities: thinker }),
  row("anthropic", "claude-opus-4", 200 * K, 32 * K, { ...price(15, 75, 1.5, 18.75), abilities: thinker }),
  row("anthropic", "claude-sonnet-4", 200 * K, 64 * K, { ...price(3, 15, 0.3, 3.75), abilities: thinker }),
  row("anthropic", "claude", 200 * K, undefined, { abilities: { tools: true, images: true } }),

  // 6 is sold under several names, and 5.6 below its price for a time: their prices are omitted.
  row("openai", "gpt-6", 400 * K, 128 * K, { abilities: thinker }),
  row("openai", "gpt-6-astra", 1_050_000, 128 * K, {
    ...longer(price(10, 50, 1, 12.5), 272 * K, price(20, 75, 2, 25)),
    abilities: thinker,
  }),
  row("openai", "gpt-5.6", 1_050_000, 128 * K, { abilities: thinker, aliases: ["gpt"] }),
  row("openai", "gpt-5.5", 1_050_000, 128 * K, {
    ...longer(price(5, 30, 0.5), 272 * K, price(10, 45, 1)),
    abilities: thinker,
  }),
  row("openai", "gpt-5.4", 1_050_000, 128 * K, {
    ...longer(price(2.5, 15, 0.25), 272 * K, price(5, 22.5, 0.5)),
    abilities: thinker,
  }),
  row("openai", "gpt-5.4-mini", 400 * K, 128 * K, { ...price(0.75, 4.5, 0.075), abilities: thinker }),
  row("openai", "gpt-5.4-nano", 400 * K, 128 * K, { ...price(0.2, 1.25, 0.02), abilities: thinker }),
  row("openai", "gpt-5.2", 400 * K, 128 * K, { ...price(1.75, 14, 0.175), abilities: thinker }),
  row("openai", "gpt-5.1", 400 * K, 128 * K, { ...price(1.25, 10, 0.125), abilities: thinker }),
  row("openai", "gpt-5.1-codex", 400 * K, 128 * K, { ...price(1.25, 10, 0.125), abilities: thinker }),
  row("openai", "gpt-5", 400 * K, 128 * K, { ...price(1.25, 10, 0.125), abilities: thinker }),
  row("openai", "gpt-5-codex", 400 * K, 128 * K, { ...price(1.25, 10, 0.125), abilities: thinker }),
  row("openai", "gpt-5-mini", 400 * K, 128 * K, { ...price(0.25, 2, 0.025), abilities: thinker }),
  row("openai", "gpt-5-nano", 400 * K, 128 * K, { ...price(0.05, 0.4, 0.005), abilities: thinker }),
  row("openai", "gpt-4.1", 1_047_576, 32_768, { ...price(2, 8, 0.5), abilities: writer }),
  row("openai", "gpt-4.1-mini", 1_047_576, 32_768, { ...price(0.4, 1.6, 0.1), abilities: writer }),
  row("openai", "gpt-4.1-nano", 1_047_576, 32_768, { ...price(0.1, 0.4, 0.025), abilities: writer }),
  row("openai", "gpt-4o", 128 * K, 16_384, { ...price(2.5, 10, 1.25), abilities: writer }),
  row("openai", "gpt-4o-mini", 128 * K, 16_384, { ...price(0.15, 0.6, 0.075), abilities: writer }),
  row("openai", "chatgpt-4o", 128 * K, 16_384),
  row("openai", "gpt-4-turbo", 128 * K, 4_096),
  row("openai", "gpt-4-32k", 32_768, undefined),
  row("openai", "gpt-4-1106", 128 * K, 4_096),
  row("openai", "gpt-4-0125", 128 * K, 4_096),
  row("openai", "gpt-4", 8_192, undefined),
  row("openai", "gpt-3.5", 16_385, 4_096),
  row("openai", "o4-mini", 200 * K, 100 * K, { ...price(1.1, 4.4, 0.275), abilities: thinker }),
  row("openai", "o3", 200 * K, 100 * K, { ...price(2, 8, 0.5), abilities: thinker }),
  row("openai", "o3-mini", 200 * K, 100 * K, { ...price(1.1, 4.4, 0.55), abilities: textThinker }),
  row("openai", "o1", 200 * K, 100 * K, { ...price(15, 60, 7.5), abilities: thinker }),

  // 3.8 Flash costs less until the end of 2026.
  row("gemini", "gemini-3.8-flash", MI, 65_536, { abilities: thinker }),
  row("gemini", "gemini-3.5-flash", MI, 65_536, {
    ...price(1.5, 9, 0.15),
    abilities: thinker,
    aliases: ["gemini", "flash"],
  }),
  row("gemini", "gemini-3-flash", MI, 65_536, { ...price(0.5, 3, 0.05), abilities: thinker }),
  row("gemini", "gemini-3", MI, 65_536, { abilities: thinker }),
  row("gemini", "gemini-3.1-pro", MI, 65_536, {
    ...longer(price(2, 12, 0.2), 200 * K, price(4, 18, 0.4)),
    abilities: thinker,
  }),
  row("gemini", "gemini-2.5-pro", MI, 65_536, {
    ...longer(price(1.25, 10, 0.125), 200 * K, price(2.5, 15, 0.25)),
    abilities: thinker,
  }),
  row("gemini", "gemini-2.5-flash", MI, 65_536, { ...price(0.3, 2.5, 0.03), abilities: thinker }),
  row("gemini", "gemini-2.5-flash-lite", MI, 65_536, { ...price(0.1, 0.4, 0.01), abilities: thinker }),
  row("gemini", "gemini", M, undefined, { abilities: { tools: true, images: true } }),

  // Cheaper outside the busy hours.
  row("deepseek", "deepseek-v4-pro", MI, undefined, { abilities: textThinker, aliases: ["deepseek"] }),
  row("deepseek", "deepseek-v4", MI, undefined, { abilities: textThinker }),
  row("deepseek", "deepseek-chat", 128 * K, 8_192, { abilities: textWriter }),
  row("deepseek", "deepseek-reasoner", 128 * K, 65_536, { abilities: textThinker }),
  row("deepseek", "deepseek", 128 * K, undefined),

  row("mistral", "codestral-latest", 256 * K, 4_096, {
    ...price(0.3, 0.9),
    abilities: textWriter,
    aliases: ["codestral"],
  }),
  row("mistral", "codestral", 256 * K, 4_096, { abilities: textWriter }),
  row("mistral", "devstral-medium", 262_144, undefined, { ...price(0.4, 2), abilities: textWriter }),
  row("mistral", "devstral", 128 * K, undefined, { abilities: textWriter }),
  row("mistral", "mistral-medium-latest", 128 * K, undefined, { ...price(1.5, 7.5), abilities: { tools: true } }),
  row("mistral", "mistral", 128 * K, undefined),

  // A prompt counts as long from 200,000 tokens on here.
  row("xai", "grok-4.7", 500 * K, undefined, {
    ...longer(price(2, 6, 0.5), 200 * K - 1, price(4, 12, 1)),
    abilities: thinker,
    aliases: ["grok"],
  }),
  row("xai", "grok-4.3", M, 30 * K, {
    ...longer(price(1.25, 2.5, 0.2), 200 * K - 1, price(2.5, 5, 0.4)),
    abilities: thinker,
  }),
  row("xai", "grok-4", 256 * K, undefined, { abilities: thinker }),
  row("xai", "grok-4-fast", 2 * M, 30 * K, { abilities: thinker }),
  row("xai", "grok-code-fast-1", 256 * K, 10 * K, { ...price(0.2, 1.5, 0.02), abilities: textThinker }),
  row("xai", "grok", 131_072, undefined),

  row("zai", "glm-5.3", M, 131_072, { abilities: textThinker, aliases: ["glm"] }),
  row("zai", "glm-5", 204_800, 131_072, { abilities: textThinker }),
  row("zai", "glm-4.7", 204_800, 131_072, { ...price(0.6, 2.2, 0.11), abilities: textThinker }),
  row("zai", "glm-4.6", 204_800, 131_072, { ...price(0.6, 2.2, 0.11), abilities: textThinker }),
  row("zai", "glm-4.5", 131_072, 98_304, { ...price(0.6, 2.2, 0.11), abilities: textThinker }),
  row("zai", "glm-4.5-air", 131_072, 98_304, { ...price(0.2, 1.1, 0.03), abilities: textThinker }),

  // Open weights: the host sets the price.
  row(undefined, "gpt-oss", 131_072, 65_536, { abilities: textThinker }),
  row(undefined, "kimi-k2", 128 * K, undefined, { abilities: { tools: true } }),
  row(undefined, "kimi-k2.5", 262_144, undefined, { abilities: thinker }),
  row(undefined, "kimi-k2.6", 262_144, undefined, { abilities: thinker }),
  row(undefined, "kimi-k2.7", 262_144, undefined, { abilities: { tools: true } }),
  row(undefined, "qwen3-coder", 256 * K, undefined, { abilities: textWriter }),
  row(undefined, "llama-3", 128 * K, undefined),
  row(undefined, "llama3", 128 * K, undefined),
  row(undefined, "llama-4", 128 * K, undefined, { abilities: { images: true } }),
];

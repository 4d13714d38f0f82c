import type { Vendor } from "../wires/endpoint/vendor.ts";
import { vendorRow } from "./vendor-row.ts";

/** Claude models with a budget of thinking tokens; later models decide for themselves. */
export const budgetModels = [
  "claude-3",
  "claude-haiku-4-5",
  "claude-sonnet-4-0",
  "claude-sonnet-4-2",
  "claude-sonnet-4-5",
  "claude-opus-4-0",
  "claude-opus-4-1",
  "claude-opus-4-2",
  "claude-opus-4-5",
];

/** Lets models with a thinking budget also think between calls; other models do so anyway. */
export const interleavedThinking = "interleaved-thinking-2025-05-14";

/** Addresses, variables and dialects from the vendors' API references; in order of preference. */
export const hostedVendors: readonly Vendor[] = [
  vendorRow({
    id: "openrouter",
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    defaultModel: "anthropic/claude-sonnet-5.5",
    headers: { "http-referer": "harness", "x-title": "harness" },
    models: "https://openrouter.ai/models lists them; so does `/model`, or `harness models` in a shell.",
    listsPrices: true,
    makersInIds: true,
    quirks: { effort: "reasoning", effortLevels: {}, cacheControlFor: "anthropic/", schema: "response_format" },
  }),
  vendorRow({
    id: "anthropic",
    name: "Anthropic",
    api: "anthropic",
    catalogue: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    otherBaseUrlEnvs: ["ANTHROPIC_API_URL"],
    defaultModel: "claude-sonnet-5-5",
    headers: { "anthropic-beta": interleavedThinking },
    quirks: { thinkingBudgetFor: budgetModels },
  }),
  vendorRow({
    id: "openai",
    name: "OpenAI",
    api: "openai-responses",
    // Servers that call themselves OpenAI-compatible implement chat completions.
    apiElsewhere: "openai-chat",
    baseUrl: "https://api.openai.com/v1",
    otherBaseUrlEnvs: ["OPENAI_API_URL"],
    defaultModel: "gpt-5.6",
    headersFromEnv: { "openai-organization": "OPENAI_ORG_ID", "openai-project": "OPENAI_PROJECT_ID" },
    quirks: {
      effort: "reasoning_effort",
      maxTokensField: "max_completion_tokens",
      schema: "response_format",
      thinkingModels: /^(?!(ft:)?(gpt-[34]|chatgpt-4))/,
    },
  }),
  vendorRow({
    id: "gemini",
    name: "Google Gemini",
    aliases: ["google"],
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    otherKeyEnvs: ["GOOGLE_API_KEY"],
    defaultModel: "gemini-3.5-flash",
    quirks: {
      effort: "reasoning_effort",
      effortLevels: { xhigh: "high", max: "high" },
      // "Thought signatures", FAQ. Models up to 2.5 do not check them, and may refuse a foreign signature.
      foreignCall: { extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } },
      foreignCallFor: /^(?!(models\/)?gemini-[12]\b)/,
      thinkingBody: { extra_body: { google: { thinking_config: { include_thoughts: true } } } },
      schema: "response_format",
    },
  }),
  vendorRow({
    id: "deepseek",
    name: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
    defaultModel: "deepseek-v4-pro",
    quirks: {
      effort: "thinking",
      // "Thinking mode": it supports the levels low, high and max.
      effortLevels: { minimal: "low", medium: "high", xhigh: "high" },
      thinkingBack: "withCalls",
    },
  }),
  vendorRow({
    id: "groq",
    name: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    defaultModel: "openai/gpt-oss-120b",
    quirks: {
      effort: "reasoning_effort",
      thinkingBody: { reasoning_format: "parsed" },
      thinkingBack: "never",
      maxTokensField: "max_completion_tokens",
      schema: "response_format",
    },
  }),
  vendorRow({
    id: "mistral",
    name: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    defaultModel: "mistral-medium-latest",
    quirks: {
      effort: "reasoning_effort",
      without: ["stream_options"],
      callIdLength: 9,
      assistantAfterTool: true,
      schema: "response_format",
    },
  }),
  vendorRow({
    id: "xai",
    name: "xAI",
    aliases: ["grok"],
    baseUrl: "https://api.x.ai/v1",
    defaultModel: "grok-4.7",
    quirks: { effort: "reasoning_effort", thinkingBack: "never", schema: "response_format" },
  }),
  vendorRow({
    // Its OpenAI format, because that has lists of models; for a coding plan,
    // ZAI_BASE_URL=https://api.z.ai/api/coding/paas/v4.
    id: "zai",
    name: "Z.ai",
    aliases: ["z.ai", "zhipu"],
    baseUrl: "https://api.z.ai/api/paas/v4",
    otherKeyEnvs: ["ZHIPU_API_KEY"],
    defaultModel: "glm-5.3",
    quirks: {
      effort: "thinking",
      effortLevels: {},
      body: { tool_stream: true },
      thinkingBody: { thinking: { type: "enabled", clear_thinking: false } },
    },
  }),
  vendorRow({
    id: "fireworks",
    name: "Fireworks",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    defaultModel: "accounts/fireworks/models/glm-5p3",
    quirks: { effort: "reasoning_effort", effortLevels: { minimal: "low" }, schema: "response_format" },
  }),
];

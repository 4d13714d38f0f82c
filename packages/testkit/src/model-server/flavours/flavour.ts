import type { OverflowWords } from "../story/fault-schema.ts";
import type { ChatDialect } from "./chat-dialect.ts";
import type { ErrorDialect } from "./error-dialect.ts";
import type { WireFormat } from "./wire-format.ts";

/** The servers that the scripted model can imitate. Outside their endpoints they differ only in one row. */
export const FLAVOURS = [
  "openai",
  "openrouter",
  "ollama",
  "llamacpp",
  "lmstudio",
  "vllm",
  "anthropic",
  "claude",
  "chatgpt",
  "gemini",
  "groq",
  "deepseek",
  "mistral",
  "xai",
  "fireworks",
  "zai",
] as const;
export type Flavour = (typeof FLAVOURS)[number];

export interface FlavourRow {
  /** Response headers that identify the real server. */
  headers: Record<string, string>;
  /** The listed model if the scenario names none. */
  modelId: string;
  /** Context window in tokens if the scenario says nothing (Ollama's 4,096 is its real default). */
  contextTokens: number;
  /** Ollama loads a model with the first chat; the others have it loaded when they listen. */
  loadedAtStart: boolean;
  /** The path at the end of a base URL for a client of `wire`. */
  basePath: string;
  /** The environment variable that directs harness to this server. */
  urlVariable: string;
  keyVariable?: string;
  /** The preferred format for this server. */
  wire: WireFormat;
  /** The paths of each format that it speaks. */
  paths: Partial<Record<WireFormat, readonly string[]>>;
  errors: ErrorDialect;
  overflow: OverflowWords;
  chat: ChatDialect;
}

const chatPath = "/v1/chat/completions";

const hosted = {
  headers: {},
  modelId: "scripted-model",
  contextTokens: 128_000,
  loadedAtStart: true,
  basePath: "/v1",
  wire: "openai-chat",
  errors: "openai",
  chat: { thinking: "reasoning_content" },
} as const;

const messages = {
  ...hosted,
  headers: { "request-id": "req_011ScriptedModelServer" },
  modelId: "claude-scripted-1",
  contextTokens: 200_000,
  basePath: "",
  wire: "anthropic",
  paths: { anthropic: ["/v1/messages"] },
  errors: "anthropic",
  overflow: "anthropic",
} satisfies Partial<FlavourRow>;

const local = { ...hosted, contextTokens: 32_768 } as const;

export const flavourRows: Record<Flavour, FlavourRow> = {
  openai: {
    ...hosted,
    headers: { "openai-version": "2020-10-01" },
    urlVariable: "OPENAI_BASE_URL",
    keyVariable: "OPENAI_API_KEY",
    paths: { "openai-chat": [chatPath], "openai-responses": ["/v1/responses"] },
    overflow: "openai",
    chat: { thinking: "reasoning_content", usageNull: true },
  },
  openrouter: {
    ...hosted,
    modelId: "anthropic/claude-sonnet-4",
    contextTokens: 200_000,
    basePath: "/api/v1",
    urlVariable: "OPENROUTER_BASE_URL",
    keyVariable: "OPENROUTER_API_KEY",
    paths: { "openai-chat": ["/api/v1/chat/completions", chatPath] },
    errors: "openrouter",
    overflow: "openrouter",
    chat: { thinking: "reasoning", usageUnasked: true, signedThinking: "anthropic/" },
  },
  ollama: {
    ...local,
    modelId: "scripted-model:latest",
    contextTokens: 4_096,
    loadedAtStart: false,
    urlVariable: "OLLAMA_HOST",
    wire: "ollama",
    paths: { ollama: ["/api/chat"], "openai-chat": [chatPath] },
    overflow: "ollama",
    chat: { thinking: "reasoning" },
  },
  llamacpp: {
    ...local,
    headers: { server: "llama.cpp" },
    modelId: "scripted-model.gguf",
    urlVariable: "LLAMACPP_URL",
    // llama.cpp really answers its OpenAI format on Ollama's path.
    paths: { "openai-chat": [chatPath, "/chat/completions", "/api/chat"] },
    errors: "llamacpp",
    overflow: "llamacpp",
    chat: { thinking: "reasoning_content", llamaTimings: true },
  },
  lmstudio: {
    ...local,
    headers: { "x-powered-by": "Express" },
    urlVariable: "LMSTUDIO_URL",
    paths: { "openai-chat": [chatPath, "/api/v0/chat/completions"] },
    errors: "string",
    overflow: "lmstudio",
  },
  vllm: {
    ...local,
    headers: { server: "uvicorn" },
    urlVariable: "VLLM_URL",
    paths: { "openai-chat": [chatPath] },
    errors: "vllm",
    overflow: "vllm",
  },
  anthropic: { ...messages, urlVariable: "ANTHROPIC_BASE_URL", keyVariable: "ANTHROPIC_API_KEY" },
  // The same with a subscription token.
  claude: { ...messages, urlVariable: "CLAUDE_BASE_URL", keyVariable: "CLAUDE_ACCESS_TOKEN" },
  // The backend of the ChatGPT apps, used with a subscription login.
  chatgpt: {
    ...hosted,
    contextTokens: 272_000,
    basePath: "/backend-api",
    urlVariable: "CHATGPT_BASE_URL",
    keyVariable: "CHATGPT_ACCESS_TOKEN",
    wire: "openai-responses",
    paths: { "openai-responses": ["/backend-api/codex/responses"] },
    errors: "detail",
    overflow: "responses",
  },
  gemini: {
    ...hosted,
    modelId: "models/gemini-scripted",
    contextTokens: 1_048_576,
    basePath: "/v1beta/openai",
    urlVariable: "GEMINI_BASE_URL",
    keyVariable: "GEMINI_API_KEY",
    paths: { "openai-chat": ["/v1beta/openai/chat/completions"] },
    errors: "google",
    overflow: "google",
    chat: {
      thinking: "thought",
      usage: "finish",
      usageDetails: "none",
      thinkingNotCounted: true,
      wholeCalls: true,
      callIndex: "zero",
      signedCalls: true,
      finishReasons: { contentFilter: "content_filter: PROHIBITED_CONTENT" },
    },
  },
  groq: {
    ...hosted,
    basePath: "/openai/v1",
    urlVariable: "GROQ_BASE_URL",
    keyVariable: "GROQ_API_KEY",
    paths: { "openai-chat": ["/openai/v1/chat/completions"] },
    overflow: "groq",
    chat: { thinking: "reasoning", usage: "x_groq", wholeCalls: true },
  },
  deepseek: {
    ...hosted,
    urlVariable: "DEEPSEEK_BASE_URL",
    keyVariable: "DEEPSEEK_API_KEY",
    paths: { "openai-chat": [chatPath, "/chat/completions"] },
    overflow: "deepseek",
    chat: { thinking: "reasoning_content", usage: "finish", cacheFields: "prompt_cache" },
  },
  mistral: {
    ...hosted,
    urlVariable: "MISTRAL_BASE_URL",
    keyVariable: "MISTRAL_API_KEY",
    paths: { "openai-chat": [chatPath] },
    errors: "mistral",
    overflow: "mistral",
    chat: {
      thinking: "parts",
      usage: "finish",
      usageDetails: "none",
      wholeCalls: true,
      nineCharacterIds: true,
      finishReasons: { windowFull: "model_length" },
    },
  },
  xai: {
    ...hosted,
    urlVariable: "XAI_BASE_URL",
    keyVariable: "XAI_API_KEY",
    paths: { "openai-chat": [chatPath] },
    errors: "xai",
    overflow: "xai",
    chat: { thinking: "reasoning_content", thinkingNotCounted: true, wholeCalls: true },
  },
  fireworks: {
    ...hosted,
    modelId: "accounts/fireworks/models/scripted",
    basePath: "/inference/v1",
    urlVariable: "FIREWORKS_BASE_URL",
    keyVariable: "FIREWORKS_API_KEY",
    paths: { "openai-chat": ["/inference/v1/chat/completions"] },
    overflow: "fireworks",
    chat: { thinking: "reasoning_content", usage: "finish" },
  },
  zai: {
    ...hosted,
    basePath: "/api/paas/v4",
    urlVariable: "ZAI_BASE_URL",
    keyVariable: "ZAI_API_KEY",
    paths: { "openai-chat": ["/api/paas/v4/chat/completions"] },
    errors: "zai",
    overflow: "zai",
    chat: {
      thinking: "reasoning_content",
      usage: "finish",
      finishReasons: { contentFilter: "sensitive", windowFull: "model_context_window_exceeded" },
    },
  },
};

/** The chat format of a path of this flavour, if it is a chat path. */
export function formatOfPath(flavour: Flavour, path: string): WireFormat | undefined {
  const { paths } = flavourRows[flavour];
  const formats = Object.keys(paths) as WireFormat[];
  return formats.find((format) => paths[format]?.includes(path));
}

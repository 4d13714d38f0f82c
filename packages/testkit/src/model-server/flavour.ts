/** The servers that the scripted model can pass for. One row is all that tells them apart outside their endpoints. */
export const FLAVOURS = ["openai", "openrouter", "ollama", "llamacpp", "lmstudio", "vllm"] as const;
export type Flavour = (typeof FLAVOURS)[number];

export interface FlavourRow {
  /** Response headers by which the real server is recognised. */
  headers: Record<string, string>;
  /** The model that is listed when the scenario names none. */
  modelId: string;
  /** Context window in tokens when the scenario says nothing (Ollama's 4,096 is its real default). */
  contextTokens: number;
  /** Ollama loads a model with the first chat; the others have it loaded when they listen. */
  loadedAtStart: boolean;
  /** The delta field of /chat/completions that carries thinking. */
  thinkingField: "reasoning_content" | "reasoning";
  /** Where a base URL for an OpenAI-compatible client ends. */
  basePath: string;
  /** The variables by which harness is sent to this server. */
  urlVariable: string;
  keyVariable?: string;
  /** Paths that speak chat completions; llama.cpp really answers its OpenAI format on Ollama's path. */
  openAiChatPaths: readonly string[];
  ollamaChatPaths: readonly string[];
}

const openAiPaths = ["/v1/chat/completions"];

export const flavourRows: Record<Flavour, FlavourRow> = {
  openai: {
    headers: { "openai-version": "2020-10-01" },
    modelId: "scripted-model",
    contextTokens: 128_000,
    loadedAtStart: true,
    thinkingField: "reasoning_content",
    basePath: "/v1",
    urlVariable: "OPENAI_BASE_URL",
    keyVariable: "OPENAI_API_KEY",
    openAiChatPaths: openAiPaths,
    ollamaChatPaths: [],
  },
  openrouter: {
    headers: {},
    modelId: "anthropic/claude-sonnet-4",
    contextTokens: 200_000,
    loadedAtStart: true,
    thinkingField: "reasoning",
    basePath: "/api/v1",
    urlVariable: "OPENROUTER_BASE_URL",
    keyVariable: "OPENROUTER_API_KEY",
    openAiChatPaths: ["/api/v1/chat/completions", ...openAiPaths],
    ollamaChatPaths: [],
  },
  ollama: {
    headers: {},
    modelId: "scripted-model:latest",
    contextTokens: 4_096,
    loadedAtStart: false,
    thinkingField: "reasoning",
    basePath: "/v1",
    urlVariable: "OLLAMA_HOST",
    openAiChatPaths: openAiPaths,
    ollamaChatPaths: ["/api/chat"],
  },
  llamacpp: {
    headers: { server: "llama.cpp" },
    modelId: "scripted-model.gguf",
    contextTokens: 32_768,
    loadedAtStart: true,
    thinkingField: "reasoning_content",
    basePath: "/v1",
    urlVariable: "LLAMACPP_URL",
    openAiChatPaths: [...openAiPaths, "/chat/completions", "/api/chat"],
    ollamaChatPaths: [],
  },
  lmstudio: {
    headers: { "x-powered-by": "Express" },
    modelId: "scripted-model",
    contextTokens: 32_768,
    loadedAtStart: true,
    thinkingField: "reasoning_content",
    basePath: "/v1",
    urlVariable: "LMSTUDIO_URL",
    openAiChatPaths: [...openAiPaths, "/api/v0/chat/completions"],
    ollamaChatPaths: [],
  },
  vllm: {
    headers: { server: "uvicorn" },
    modelId: "scripted-model",
    contextTokens: 32_768,
    loadedAtStart: true,
    thinkingField: "reasoning_content",
    basePath: "/v1",
    urlVariable: "VLLM_URL",
    openAiChatPaths: openAiPaths,
    ollamaChatPaths: [],
  },
};

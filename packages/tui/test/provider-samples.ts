import type { ProviderView } from "@harness/protocol";

/** Providers as a server lists them if nothing is set up. */
export const bareProviders: readonly ProviderView[] = [
  {
    id: "ollama",
    name: "Ollama",
    local: true,
    ready: false,
    detail: "Ollama is not running.",
    keyEnv: "OLLAMA_API_KEY",
  },
  { id: "lmstudio", name: "LM Studio", local: true, ready: false, detail: "LM Studio is not running." },
  { id: "openrouter", name: "OpenRouter", local: false, ready: false, detail: "", keyEnv: "OPENROUTER_API_KEY" },
  { id: "anthropic", name: "Anthropic", local: false, ready: false, detail: "", keyEnv: "ANTHROPIC_API_KEY" },
  { id: "chatgpt", name: "ChatGPT", local: false, ready: false, detail: "", keyEnv: "TOKEN", login: true },
  { id: "gguf", name: "Model files", local: true, ready: false, detail: "No model file was added." },
];

/** The formats that models are spoken to in. Each is one file, loaded when first used. */
export type WireName = "openai-chat" | "ollama";

/** How a server is asked which models it has and how large their windows are. */
export type CatalogueName = "ollama" | "llamacpp" | "lmstudio" | "openai";

/** Where a vendor's dialect of a wire API differs. */
type Quirks = {
  maxTokensField?: "max_completion_tokens";
  /** The field that says how long to think; without it nothing is sent. */
  effort?: "reasoning_effort" | "reasoning" | "chat_template_kwargs";
  /** Several calls in one reply must be asked for. */
  parallelToolCalls?: true;
  /** Models with this prefix cache a prompt only when told to. */
  cacheControlFor?: string;
};

/** A vendor is data: one row. */
export type Vendor = {
  id: string;
  name: string;
  /** Runs on the person's own machine or network: no key needed, slow to evaluate a prompt. */
  local: boolean;
  api: WireName;
  catalogue: CatalogueName;
  /** Without a slash at the end. */
  baseUrl: string;
  baseUrlEnv: string;
  keyEnv: string;
  defaultModel?: string;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Header name → environment variable. */
  headersFromEnv?: Readonly<Record<string, string>>;
  /** How to get the server running, as a sentence's second half. */
  start?: string;
  /** How to find or fetch a model. */
  models: string;
  quirks: Quirks;
};

/** Ports and variables are those of the servers' own documentation. Local ones first, then hosted ones by preference. */
export const vendors: readonly Vendor[] = [
  {
    id: "ollama",
    name: "Ollama",
    local: true,
    api: "ollama",
    catalogue: "ollama",
    baseUrl: "http://127.0.0.1:11434",
    baseUrlEnv: "OLLAMA_HOST",
    keyEnv: "OLLAMA_API_KEY",
    start: "start it with `ollama serve`",
    models: "`ollama list` shows what is installed, `ollama pull <model>` fetches one.",
    quirks: {},
  },
  {
    id: "llamacpp",
    name: "llama.cpp",
    local: true,
    api: "openai-chat",
    catalogue: "llamacpp",
    baseUrl: "http://127.0.0.1:8080/v1",
    baseUrlEnv: "LLAMACPP_URL",
    keyEnv: "LLAMA_API_KEY",
    start: "start it with `llama-server --jinja -m <model.gguf>`",
    models: "It serves the model it was started with.",
    quirks: { effort: "chat_template_kwargs", parallelToolCalls: true },
  },
  {
    id: "lmstudio",
    name: "LM Studio",
    local: true,
    api: "openai-chat",
    catalogue: "lmstudio",
    baseUrl: "http://127.0.0.1:1234/v1",
    baseUrlEnv: "LMSTUDIO_URL",
    keyEnv: "LM_API_TOKEN",
    start: "start its server with `lms server start`",
    models: "`lms ls` shows what is installed, `lms get <model>` fetches one.",
    quirks: { effort: "reasoning_effort" },
  },
  {
    id: "vllm",
    name: "vLLM",
    local: true,
    api: "openai-chat",
    catalogue: "openai",
    baseUrl: "http://127.0.0.1:8000/v1",
    baseUrlEnv: "VLLM_URL",
    keyEnv: "VLLM_API_KEY",
    start: "start it with `vllm serve <model> --enable-auto-tool-choice --tool-call-parser <parser>`",
    models: "It serves the model it was started with.",
    quirks: { effort: "chat_template_kwargs" },
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    local: false,
    api: "openai-chat",
    catalogue: "openai",
    baseUrl: "https://openrouter.ai/api/v1",
    baseUrlEnv: "OPENROUTER_BASE_URL",
    keyEnv: "OPENROUTER_API_KEY",
    defaultModel: "anthropic/claude-sonnet-4",
    headers: { "http-referer": "harness", "x-title": "harness" },
    models: "https://openrouter.ai/models lists them; so does `/model`.",
    quirks: { effort: "reasoning", cacheControlFor: "anthropic/" },
  },
  {
    id: "openai",
    name: "OpenAI",
    local: false,
    api: "openai-chat",
    catalogue: "openai",
    baseUrl: "https://api.openai.com/v1",
    baseUrlEnv: "OPENAI_BASE_URL",
    keyEnv: "OPENAI_API_KEY",
    defaultModel: "gpt-4.1",
    headersFromEnv: { "openai-organization": "OPENAI_ORG_ID", "openai-project": "OPENAI_PROJECT_ID" },
    models: "`/model` lists what it offers.",
    quirks: { effort: "reasoning_effort", maxTokensField: "max_completion_tokens" },
  },
];

export function vendorOf(id: string): Vendor | undefined {
  return vendors.find((vendor) => vendor.id === id);
}

/** The content of `.env.example`. */
export function envExample(): string {
  const lines = [
    "# Copy to ~/.config/harness/.env and fill in what you use; ~/.env counts as well. Of the .env file of a project, in",
    "# the working directory or above it, only the keys count: a repository may not choose who is talked to. A variable",
    "# that the environment already has stays as it is there.",
  ];
  for (const vendor of vendors) {
    lines.push("", vendor.local ? `# ${vendor.name}: on your own machine, needs no key.` : `# ${vendor.name}`);
    if (vendor.id === "openai") lines.push("# The address may be that of any server that speaks the same API.");
    if (!vendor.local) lines.push(`# ${vendor.keyEnv}=`);
    lines.push(`# ${vendor.baseUrlEnv}=${vendor.baseUrl}`);
    if (vendor.local) lines.push(`# ${vendor.keyEnv}=`);
  }
  return `${lines.join("\n")}\n`;
}

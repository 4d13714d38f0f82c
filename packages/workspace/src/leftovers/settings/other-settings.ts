import { effortOf } from "@harness/protocol";
import { none, type SettingTable, same, unless } from "./setting-meaning.ts";

/** `settings.json` of zdql/harness, which supports only OpenRouter. */
export const openRouterSettings: SettingTable = {
  model: (found) => [
    { key: "model", value: found },
    { key: "provider", value: "openrouter" },
  ],
  custom_instructions: same("custom_instructions"),
  reasoning_effort: unless("medium", "effort", (found) => (typeof found === "string" ? effortOf(found) : found)),
  reasoning_summary: unless("auto", "reasoning_summary"),
  // The session that was open last.
  conversation: () => [],
};

/** `settings.conf` of hs. */
export const shellSettings: SettingTable = {
  provider: same("provider"),
  model: same("model"),
};

const lmStudio = none("LM Studio decides that itself");

/** `config.json` of Local Harness. */
export const localHarnessSettings: SettingTable = {
  provider: same("provider"),
  model: same("model"),
  ollama_host: unless("http://localhost:11434", "ollama_url"),
  ollama_endpoint: (found) => (found === "/api/chat" ? [] : [{ why: "harness finds the path itself" }]),
  lmstudio_host: unless("http://localhost:1234", "lmstudio_url"),
  lmstudio_auto_start: lmStudio,
  auto_load_model: lmStudio,
  gpu_offload: lmStudio,
  ttl: lmStudio,
  model_keep_alive: unless("15m", "keep_alive"),
  num_ctx: unless(128_000, "context_limit"),
  num_predict: unless(8192, "max_output_tokens"),
  editor: unless(["nvim"], "editor", (found) => (Array.isArray(found) ? found.join(" ") : found)),
  scroll_lines: unless(3, "wheel_rows"),
  enable_thinking: (found) => (found === false ? [{ key: "effort", value: "none" }] : []),
  show_tool_json: (found) =>
    found === true ? [{ why: "harness shows the arguments of a call when you unfold it" }] : [],
  file_read_small_threshold: unless(200, "extract_files_above"),
};

const noIndex = none("harness has no index of embeddings");

/** `config.json` of the program with Ollama and Qdrant. */
export const qdrantSettings: SettingTable = {
  chat_model: (found) => [
    { key: "model", value: found },
    { key: "provider", value: "ollama" },
  ],
  embed_model: noIndex,
  qdrant_host: noIndex,
  qdrant_port: noIndex,
  qdrant_url: noIndex,
  max_steps: unless(20, "max_turns"),
  max_context_tokens: unless(28_000, "context_limit"),
  stream: unless(true, "stream_replies"),
  ollama_host: unless("http://localhost:11434", "ollama_url"),
  mcp_servers: (found) => (Array.isArray(found) && found.length === 0 ? [] : [{ key: "mcp_servers", value: found }]),
};

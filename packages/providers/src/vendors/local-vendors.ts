import type { Vendor } from "../wires/endpoint/vendor.ts";
import { vendorRow } from "./vendor-row.ts";

/** Ports and variables follow the servers' own documentation. */
export const localVendors: readonly Vendor[] = [
  vendorRow({
    id: "ollama",
    name: "Ollama",
    local: true,
    api: "ollama",
    catalogue: "ollama",
    baseUrl: "http://127.0.0.1:11434",
    baseUrlEnv: "OLLAMA_HOST",
    start: "start it with `ollama serve`",
    models: "`ollama list` shows what is installed; `harness model pull <model>` or `ollama pull <model>` fetches one.",
    contextWindowAdvice:
      "Set context_limit to the context window you need: harness asks Ollama for it with every request. If Ollama still cuts, " +
      "memory is too small: choose a smaller context window or a smaller model.",
  }),
  vendorRow({
    id: "llamacpp",
    name: "llama.cpp",
    aliases: ["llama.cpp", "llama-cpp", "llama-server"],
    local: true,
    catalogue: "llamacpp",
    baseUrl: "http://127.0.0.1:8080/v1",
    baseUrlEnv: "LLAMACPP_URL",
    keyEnv: "LLAMA_API_KEY",
    start: "start it with `llama-server --jinja -m <model.gguf>`",
    models: "It serves the model it was started with.",
    contextWindowAdvice:
      "Start llama-server with a larger context window, for example `-c 32768`; with several slots (`-np`) each gets a share of it.",
    quirks: {
      effort: "chat_template_kwargs",
      parallelToolCalls: true,
      body: { cache_prompt: true, return_progress: true },
      slots: true,
      schema: "json_schema",
    },
  }),
  vendorRow({
    id: "lmstudio",
    name: "LM Studio",
    aliases: ["lm-studio"],
    local: true,
    catalogue: "lmstudio",
    baseUrl: "http://127.0.0.1:1234/v1",
    baseUrlEnv: "LMSTUDIO_URL",
    keyEnv: "LM_API_TOKEN",
    start: "start its server with `lms server start`",
    models: "`lms ls` shows what is installed, `lms get <model>` fetches one.",
    contextWindowAdvice:
      "In LM Studio, load the model again with a larger context length: `lms load <model> --context-length 32768`.",
    loadAdvice:
      "`lms ps` shows what fills its memory, `lms unload` frees it. Otherwise set a smaller context_limit, or choose another model.",
    quirks: { effort: "reasoning_effort", schema: "response_format" },
  }),
  vendorRow({
    id: "vllm",
    name: "vLLM",
    local: true,
    catalogue: "vllm",
    baseUrl: "http://127.0.0.1:8000/v1",
    baseUrlEnv: "VLLM_URL",
    start: "start it with `vllm serve <model> --enable-auto-tool-choice --tool-call-parser <parser>`",
    models: "It serves the model it was started with.",
    contextWindowAdvice: "Start vLLM with a larger `--max-model-len`, or compact the conversation.",
    quirks: { effort: "chat_template_kwargs", schema: "response_format" },
  }),
];

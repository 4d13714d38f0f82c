import { vendors } from "./vendors.ts";

/** How to get a model, in three lines: on this machine, hosted, or any server of one's own. */
export function modelAdvice(): string[] {
  const keys = vendors.filter((vendor) => !vendor.local).map((vendor) => vendor.keyEnv);
  return [
    "On this machine: install Ollama (https://ollama.com/download), then run `ollama pull qwen3-coder`.",
    `Hosted: set ${keys.join(" or ")} in the environment or in a .env file.`,
    "Any other OpenAI-compatible server: set OPENAI_BASE_URL, for example to http://127.0.0.1:8000/v1.",
  ];
}

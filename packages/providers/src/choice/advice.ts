import { vendors } from "../vendors/vendors.ts";

const NAMED_KEYS = 3;

/** How to get a model, in three lines: on this machine, hosted, or any server of one's own. */
export function modelAdvice(): string[] {
  const keys = vendors.filter((vendor) => !vendor.local && !vendor.login).map((vendor) => vendor.keyEnv);
  const more = keys.length - NAMED_KEYS;
  return [
    "On this machine: install Ollama (https://ollama.com/download), then run `ollama pull qwen3-coder`.",
    `Hosted: set ${keys.slice(0, NAMED_KEYS).join(" or ")} (or one of ${more} others) in the environment or in a .env file.`,
    "Any other OpenAI-compatible server: set OPENAI_BASE_URL, for example to http://127.0.0.1:8000/v1.",
  ];
}

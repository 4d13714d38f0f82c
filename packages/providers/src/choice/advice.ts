import { vendors } from "../vendors/vendors.ts";

const NAMED_KEYS = 3;

/** Says that there is no model, and how to get one: on this machine, hosted, or from any server of one's own. */
export function modelAdvice(localOnly = false): string[] {
  const keys = vendors.filter((vendor) => !vendor.local && !vendor.login).map((vendor) => vendor.keyEnv);
  const more = keys.length - NAMED_KEYS;
  const hosted = `Hosted: \`harness auth set\` saves a key (in the window: /settings); or set ${keys.slice(0, NAMED_KEYS).join(" or ")} (or one of ${more} others).`;
  return [
    localOnly
      ? "No local model is available, and harness is in local-only mode (`local_only`, HARNESS_LOCAL_ONLY, --local-only)."
      : "No model is set up yet.",
    "On this machine: install Ollama (https://ollama.com/download) and run `ollama pull qwen3-coder`, or `harness --model ./x.gguf`.",
    ...(localOnly ? [] : [hosted]),
    "Any other OpenAI-compatible server: set OPENAI_BASE_URL, for example to http://127.0.0.1:8000/v1.",
  ];
}

import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";

const address = (title: string, doc: string, env: string) =>
  ({
    title,
    group: "Model",
    doc,
    takesEffect: "next request",
    schema: z.string().max(2_000),
    default: "",
    env,
  }) as const;

/**
 * Addresses of model servers. Only the user sets them: a project may not choose where requests go. A vendor's row has
 * the same variable.
 */
export const addressSettings = {
  ollama_url: address(
    "Address of Ollama",
    "Address of Ollama, such as `192.168.1.20:11434`. Empty: port 11434 on this machine.",
    "OLLAMA_HOST",
  ),
  llamacpp_url: address(
    "Address of llama-server",
    "Address of llama-server. Empty: port 8080 on this machine.",
    "LLAMACPP_URL",
  ),
  vllm_url: address("Address of vLLM", "Address of vLLM. Empty: port 8000 on this machine.", "VLLM_URL"),
  lmstudio_url: address(
    "Address of LM Studio",
    "Address of LM Studio. Empty: port 1234 on this machine.",
    "LMSTUDIO_URL",
  ),
  openai_base_url: address(
    "OpenAI-compatible server",
    "Address of a server that speaks OpenAI's API, such as `http://localhost:4000/v1`. Empty: OpenAI itself.",
    "OPENAI_BASE_URL",
  ),
} as const satisfies Record<string, SettingRow>;

export type AddressSetting = keyof typeof addressSettings;

const names = Object.keys(addressSettings) as AddressSetting[];

/** The setting for the address that a variable names. */
export function addressSettingOf(variable: string): AddressSetting | undefined {
  return names.find((name) => addressSettings[name].env === variable);
}

/** The configured addresses, by their environment variables. */
export function addressVariables(values: Readonly<Record<AddressSetting, string>>): Record<string, string> {
  const set = names.filter((name) => values[name].trim() !== "");
  return Object.fromEntries(set.map((name) => [addressSettings[name].env, values[name]]));
}

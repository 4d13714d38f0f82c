import { agentModeOf, effortOf, type SettingKey } from "@harness/protocol";
import { none, plus, type SettingReading, type SettingTable, same, unless } from "./setting-meaning.ts";

/** Its providers, by the letters of their names, which were spelt in several ways. */
const providers: Readonly<Record<string, { id: string; url: SettingKey }>> = {
  ollama: { id: "ollama", url: "ollama_url" },
  llamacpp: { id: "llamacpp", url: "llamacpp_url" },
  vllm: { id: "vllm", url: "vllm_url" },
  openaicompat: { id: "openai", url: "openai_base_url" },
};

/** Commands that run there without asking unless the user says otherwise. */
const safeCommands: readonly string[] = [
  ..."cd ls grep glob find cat head tail wc pwd echo printf tree file stat du df free uptime whoami hostname".split(
    " ",
  ),
  ..."uname date cal ps env printenv which whereis type".split(" "),
  ..."status diff log show branch remote tag describe rev-parse".split(" ").map((word) => `git ${word}`),
  ..."tree metadata doc".split(" ").map((word) => `cargo ${word}`),
  "rustc --version",
  "cargo --version",
];

/** The seconds added to the time it waits for Ollama. */
const ADDED_SECS = 60;

const key = (what: string, provider: string) =>
  none(`${what} is a secret and is not copied: harness auth set ${provider}`);

/** `settings.json` of TinyHarness. */
export const tinyharnessSettings: SettingTable = {
  last_provider: (found) => {
    const row = providerOf(found);
    return row ? [{ key: "provider", value: row.id }] : [{ why: `harness has no provider ${JSON.stringify(found)}` }];
  },
  last_provider_url: (found, all) => {
    const row = providerOf(all.last_provider ?? "ollama");
    return row ? [{ key: row.url, value: found }] : [];
  },
  provider_urls: (found) =>
    Object.entries(Object(found)).flatMap(([name, url]): SettingReading[] => {
      const row = providerOf(name);
      return row ? [{ key: row.url, value: url }] : [];
    }),
  last_model: (found, all) => (providerOf(all.last_provider ?? "ollama") ? [{ key: "model", value: found }] : []),
  provider_models: (found, all) =>
    Object.entries(Object(found)).flatMap(([name, model]): SettingReading[] =>
      providerOf(name) && providerOf(name) === providerOf(all.last_provider ?? "ollama")
        ? [{ key: "model", value: model }]
        : [],
    ),
  preferred_mode: unless("casual", "preferred_mode", (found) =>
    typeof found === "string" ? (agentModeOf(found) ?? found) : found,
  ),
  ollama_timeout_secs: unless(5, "ollama_timeout_secs", plus(ADDED_SECS)),
  ollama_max_retries: unless(3, "ollama_max_retries"),
  ollama_think_type: (found) => {
    const level = String(found).toLowerCase();
    return level === "medium" ? [] : [{ key: "effort", value: effortOf(level) }];
  },
  show_thinking: unless(false, "show_thinking"),
  context_limit: same("context_limit"),
  auto_accept_safe_commands: unless(true, "auto_accept_safe_commands"),
  auto_accept_mode: (found) => {
    if (found === "off" || found === false) return [{ key: "auto_accept_safe_commands", value: false }];
    return found === "all"
      ? [{ why: "it runs everything without asking: harness asks, unless you say otherwise" }]
      : [];
  },
  safe_command_prefixes: (found) => {
    if (!Array.isArray(found)) return [{ key: "safe_command_prefixes", value: found }];
    const more = found.filter((text) => !safeCommands.includes(text));
    const taken = safeCommands.filter((text) => !found.includes(text)).map((text) => `!${text}`);
    const value = [...more, ...taken];
    return value.length === 0 ? [] : [{ key: "safe_command_prefixes", value }];
  },
  denied_command_prefixes: same("denied_command_prefixes"),
  project_md_files: same("project_md_files"),
  auto_compact_enabled: unless(true, "auto_compact_enabled"),
  skip_health_check: unlessFalse("harness checks no server before it needs it"),
  ollama_api_key: key("The key", "ollama"),
  openai_compat_api_key: key("The key", "openai"),
  sockudo_app_id: none("harness has no provider Sockudo"),
  sockudo_app_key: none("harness has no provider Sockudo"),
  sockudo_app_secret: none("harness has no provider Sockudo"),
};

function unlessFalse(why: string) {
  return (found: unknown): SettingReading[] => (found === false ? [] : [{ why }]);
}

function providerOf(name: unknown): { id: string; url: SettingKey } | undefined {
  const known = letters(name);
  return Object.hasOwn(providers, known) ? providers[known] : undefined;
}

function letters(name: unknown): string {
  return String(name)
    .toLowerCase()
    .replace(/[^a-z]/g, "");
}

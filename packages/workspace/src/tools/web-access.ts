import type { Egress } from "@harness/core";
import type { PolicySet, SessionRules } from "@harness/gate";
import type { WebPorts } from "@harness/tools";
import type { ProviderCredentials } from "../credentials/provider-credentials.ts";
import type { FolderSettings } from "../settings/folder-settings.ts";

export type WebAccessOptions = {
  egress: Egress;
  credentials(): ProviderCredentials;
  settings: Pick<FolderSettings, "values" | "environment">;
  /** The rules of the session, and the stored ones. */
  rules: SessionRules;
  policies(): PolicySet | undefined;
};

const OLLAMA = "ollama";
/** Ollama's own variable: keys come from ollama.com, and local servers need none. */
const OLLAMA_KEYS = ["OLLAMA_API_KEY"];
const SECRET_CHARS = 8;

/** The permissions and keys of a session's web tools. */
export function webAccess({ egress, credentials, settings, rules, policies }: WebAccessOptions): WebPorts {
  const env = () => settings.environment.env;
  return {
    egress,
    allowedPrivate: () => privatePlaces(rules, policies()),
    isSecret: (text) => text.length >= SECRET_CHARS && credentials().redactor(env()).hide(text) !== text,
    search() {
      const { web_search: wanted, searxng_url: searxngUrl } = settings.values;
      return {
        wanted,
        searxngUrl,
        braveKey: env().BRAVE_API_KEY?.trim() || undefined,
        hasOllamaKey: isForOllama(env().OLLAMA_HOST) && credentials().has(OLLAMA, OLLAMA_KEYS),
        ollamaKey: () => credentials().keyOf(OLLAMA, OLLAMA_KEYS),
      };
    },
  };
}

/** With TLS and a different host, the key is probably for that host and is sent nowhere else. */
function isForOllama(address = ""): boolean {
  return !/^https:/i.test(address.trim()) || /^https:\/\/ollama\.com(:443)?(\/|$)/i.test(address.trim());
}

/** The allowed hosts with a port: only these rules reach into private networks. */
export function privatePlaces(rules: SessionRules, policies: PolicySet | undefined): string[] {
  const texts = rules.allow.flatMap((text) => /^\s*web_fetch\((.+)\)\s*$/i.exec(text)?.[1]?.trim() ?? []);
  const kept = (policies?.rules ?? []).flatMap(({ rule }) =>
    rule.decision === "allow" && rule.tool === "web_fetch" && rule.host !== undefined ? [rule.host] : [],
  );
  return [...texts, ...kept].filter((place) => /^(\[[0-9a-f:.]+\]|[^:*\s/]+):\d+$/i.test(place));
}

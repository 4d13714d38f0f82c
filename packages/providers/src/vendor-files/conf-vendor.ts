import { locate } from "../vendors/locate.ts";
import { vendorRow } from "../vendors/vendor-row.ts";
import type { CatalogueName, Vendor, WireName } from "../wires/endpoint/vendor.ts";
import type { ProgramVariant } from "./program-variant.ts";

/** A vendor described by a `.conf` file. Problems are sentences for people and do not always prevent its use. */
export type ConfReading = { vendor?: Vendor; variant?: ProgramVariant; problems: string[] };

type Protocol = { api: WireName; catalogue: CatalogueName; baseUrl: string };

/** Protocols by their name in the files. */
const protocols: Readonly<Record<string, Protocol>> = {
  openai: {
    api: "openai-chat",
    catalogue: "openai",
    baseUrl: "http://127.0.0.1:8000/v1",
  },
  responses: {
    api: "openai-responses",
    catalogue: "openai",
    baseUrl: "http://127.0.0.1:8000/v1",
  },
  anthropic: { api: "anthropic", catalogue: "anthropic", baseUrl: "http://127.0.0.1:8000/v1" },
  ollama: { api: "ollama", catalogue: "ollama", baseUrl: "http://127.0.0.1:11434" },
};

const KEYS = ["protocol", "description", "model", "url", "auth_env", "max_tokens", "stream"];
/** A valid provider id: it appears in `provider/model`, and its variables are derived from it. */
const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/** Parses `key=value` lines; empty lines and those that begin with `#` are skipped. Never throws. */
export function readConf(id: string, text: string, file: string): ConfReading {
  const { values, problems } = linesOf(text, file);
  const wrong = (what: string): ConfReading => ({ problems: [...problems, `${file}: ${what}`] });
  if (!isVendorId(id)) return wrong("the name of the file may contain only letters, digits, `.`, `_` and `-`.");
  const maxTokens = values.get("max_tokens");
  if (maxTokens !== undefined && !/^[1-9]\d{0,8}$/.test(maxTokens)) return wrong("max_tokens must be a whole number.");
  const authEnv = values.get("auth_env");
  if (authEnv !== undefined && !isVariable(authEnv)) return wrong("auth_env must be the name of a variable.");
  const named = values.get("protocol") ?? "openai";
  const protocol = protocolOf(named);
  if (!protocol && isVendorId(named)) return { variant: { id, program: named, values, file }, problems };
  if (!protocol) return wrong(protocolProblem());
  const url = values.get("url");
  if (url === undefined) return wrong("url is missing: the address of the server, such as url=https://host/v1.");
  const model = values.get("model");
  const draft: Vendor = {
    ...vendorBase(id, values.get("description"), protocol, file),
    ...(authEnv === undefined ? { keyless: true as const } : { keyEnv: authEnv }),
    ...(model !== undefined && { defaultModel: model }),
    ...(values.get("stream") === "no" && { streams: false as const }),
    ...(maxTokens !== undefined && { maxOutputTokens: Number(maxTokens) }),
  };
  const located = locate(draft, { baseUrl: url });
  if (!located.ok) return wrong(`url is not an address: ${JSON.stringify(url)}. Example: https://host/v1.`);
  const { baseUrl, query, near } = located.endpoint;
  return { vendor: { ...draft, baseUrl, ...(query !== undefined && { query }), local: near }, problems };
}

/** Why a file with an unknown protocol is not used. */
export function protocolProblem(): string {
  return `protocol must be one of ${Object.keys(protocols).join(", ")}, or the name of a provider program.`;
}

/**
 * The settings by key that a file without `url` has for the program next to it; undefined: it describes a server. Never
 * throws.
 */
export function programSettings(
  text: string,
  file: string,
): { values: Map<string, string>; problems: string[] } | undefined {
  const lines = linesOf(text, file);
  return lines.values.has("url") ? undefined : lines;
}

/** The common fields of all rows that do not come with harness. */
export function vendorBase(id: string, description: string | undefined, protocol: Protocol, file: string): Vendor {
  const { api, catalogue, baseUrl } = protocol;
  return vendorRow({
    id,
    name: description ?? id,
    api,
    catalogue,
    baseUrl,
    models: `Name one with \`--model\`, or as model= in ${file}.`,
    file,
    quirks: { effort: "reasoning_effort" },
  });
}

export function protocolOf(name: string): Protocol | undefined {
  return Object.hasOwn(protocols, name) ? protocols[name] : undefined;
}

/** Each API has one. */
export function protocolWith(api: WireName): Protocol | undefined {
  return Object.values(protocols).find((protocol) => protocol.api === api);
}

export function isVendorId(id: string): boolean {
  return ID.test(id);
}

export function isVariable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** Values of `key=value` lines by key, the last one wins; malformed lines and unknown keys are problems. */
function linesOf(text: string, file: string): { values: Map<string, string>; problems: string[] } {
  const values = new Map<string, string>();
  const problems: string[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const at = line.indexOf("=");
    const key = line.slice(0, Math.max(at, 0)).trim();
    const where = `${file}, line ${index + 1}`;
    if (at < 0) problems.push(`${where}: write key=value.`);
    else if (!KEYS.includes(key)) {
      problems.push(`${where}: unknown key ${JSON.stringify(key)}; the keys are ${KEYS.join(", ")}.`);
    } else {
      const value = unquoted(line.slice(at + 1).trim());
      if (value !== "") values.set(key, value);
    }
  }
  return { values, problems };
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}

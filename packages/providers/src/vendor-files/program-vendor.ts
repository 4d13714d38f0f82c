import type { Clock } from "@harness/core";
import { readRegularFile } from "@harness/host";
import { askProgram } from "../programs/ask-program.ts";
import { vendors } from "../vendors/vendors.ts";
import type { Env } from "../wires/endpoint/environment.ts";
import type { SecretAccess, Vendor, WireName } from "../wires/endpoint/vendor.ts";
import { isVariable, isVendorId, protocolOf, protocolWith, vendorBase } from "./conf-vendor.ts";
import { programId } from "./program-id.ts";

const MAX_TEXT = 16 * 1024 * 1024;

type ProgramVendorOptions = {
  env: Env;
  clock: Clock;
  /** From the `.conf` file next to it: they override its own description. */
  settings: ReadonlyMap<string, string>;
  /** For a project's program. */
  secrets?: SecretAccess;
};

/** Reads an executable's description of itself as a vendor. Never throws. */
export async function readProgram(
  path: string,
  { env, clock, settings, secrets }: ProgramVendorOptions,
): Promise<{ vendor?: Vendor; problems: string[] }> {
  const id = programId(path);
  if (!isVendorId(id)) {
    return { problems: [`${path}: the name of the file may contain only letters, digits, \`.\`, \`_\` and \`-\`.`] };
  }
  const ask = (flag: string) => askProgram({ path, flag, env, clock, ...(secrets && { secrets }) });
  const [described, defaults, variables] = await Promise.all([ask("--describe"), ask("--defaults"), ask("--env")]);
  // A program must describe itself; the other two answers are optional.
  if (!described.ok) return { problems: [`${described.problem} It is not used.`] };
  const values = new Map([...valuesOf(defaults.ok ? defaults.text : ""), ...settings]);
  const named = values.get("protocol");
  const output = [described.text, variables.ok ? variables.text : "", textOf(path)].join("\n");
  const protocol = named === undefined ? protocolWith(apiBehind(id, output)) : protocolOf(named);
  if (!protocol) return { problems: [`${path}: unknown protocol ${JSON.stringify(named)}.`] };
  const programEnv = namesOf(`${variables.ok ? variables.text : ""}\n${settings.get("auth_env") ?? ""}`);
  const model = values.get("model");
  const maxTokens = Number(values.get("max_tokens"));
  const keyEnv = settings.get("auth_env") ?? programEnv.find((name) => /KEY|TOKEN/i.test(name));
  const description = settings.get("description") ?? described.text.trim().split("\n")[0]?.trim();
  const vendor: Vendor = {
    ...vendorBase(id, description || undefined, protocol, path),
    program: path,
    programEnv,
    catalogue: "none",
    keyless: true,
    ...(keyEnv !== undefined && { keyEnv }),
    ...(model !== undefined && { defaultModel: model }),
    ...(Number.isInteger(maxTokens) && maxTokens > 0 && { maxOutputTokens: maxTokens }),
    ...(named === undefined && { messagesFor: protocol.api }),
    ...(isWhole(values.get("stream"), named, output) && { streams: false as const }),
    quirks: {},
  };
  return { vendor, problems: [] };
}

/**
 * The API behind a program that names no protocol: that of the built-in provider with its name, or else the one whose
 * address it mentions. It determines the format of messages.
 */
function apiBehind(id: string, output: string): WireName {
  const named = protocolOf(id)?.api ?? vendors.find((vendor) => vendor.id === id)?.api;
  return named ?? ADDRESSES.find(([path]) => path.test(output))?.[1] ?? "anthropic";
}

const ADDRESSES: readonly (readonly [RegExp, WireName])[] = [
  [/\/v1\/messages\b/, "anthropic"],
  [/\/chat\/completions\b/, "openai-chat"],
  [/\/v1\/responses\b/, "openai-responses"],
  [/\/api\/chat\b/, "ollama"],
];

/** True if it is run without `--stream`: it says so, or reads the payload and never mentions the argument. */
function isWhole(stream: string | undefined, protocol: string | undefined, output: string): boolean {
  if (stream !== undefined) return stream === "no";
  return protocol === undefined && !output.includes("--stream");
}

/** The beginning of a script, or the readable text in a binary. */
function textOf(path: string): string {
  try {
    return readRegularFile(path, { maxBytes: MAX_TEXT, followLinks: true }).toString("latin1");
  } catch {
    return "";
  }
}

/** Parses `key=value` lines and ignores others. */
function valuesOf(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const at = line.indexOf("=");
    const value = line.slice(at + 1).trim();
    if (at > 0 && value !== "") values.set(line.slice(0, at).trim(), value);
  }
  return values;
}

/** One variable per line: its name, optionally followed by text for people. */
function namesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim().split(/[\s=:]/)[0] ?? "")
    .filter(isVariable);
}

import { basename, extname } from "node:path";
import type { Clock } from "@harness/core";
import { askProgram } from "../programs/ask-program.ts";
import type { Env } from "../wires/endpoint/environment.ts";
import type { SecretAccess, Vendor } from "../wires/endpoint/vendor.ts";
import { isVariable, isVendorId, protocolOf, vendorBase } from "./conf-vendor.ts";

/** Endings that say what a script is written in; the id goes without. */
const SCRIPTS = new Set([".sh", ".bash", ".py", ".js", ".mjs", ".ts", ".rb", ".pl"]);

/** Reads an executable's description of itself as a vendor; `secrets`: for one of a project. Never throws. */
export async function readProgram(
  path: string,
  { env, clock, secrets }: { env: Env; clock: Clock; secrets?: SecretAccess },
): Promise<{ vendor?: Vendor; problems: string[] }> {
  const id = SCRIPTS.has(extname(path)) ? basename(path, extname(path)) : basename(path);
  if (!isVendorId(id)) {
    return { problems: [`${path}: the name of the file may contain only letters, digits, \`.\`, \`_\` and \`-\`.`] };
  }
  const ask = (flag: string) => askProgram({ path, flag, env, clock, ...(secrets && { secrets }) });
  const [described, defaults, variables] = await Promise.all([ask("--describe"), ask("--defaults"), ask("--env")]);
  // A program must describe itself; the other two answers are optional.
  if (!described.ok) return { problems: [`${described.problem} It is not used.`] };
  const values = valuesOf(defaults.ok ? defaults.text : "");
  const named = values.get("protocol") ?? "openai";
  const protocol = protocolOf(named);
  if (!protocol) return { problems: [`${path}: unknown protocol ${JSON.stringify(named)}.`] };
  const programEnv = namesOf(variables.ok ? variables.text : "");
  const model = values.get("model");
  const maxTokens = Number(values.get("max_tokens"));
  const keyEnv = programEnv.find((name) => /KEY|TOKEN/i.test(name));
  const description = described.text.trim().split("\n")[0]?.trim();
  const vendor: Vendor = {
    ...vendorBase(id, description || undefined, protocol, path),
    program: path,
    programEnv,
    catalogue: "none",
    keyless: true,
    ...(keyEnv !== undefined && { keyEnv }),
    ...(model !== undefined && { defaultModel: model }),
    ...(Number.isInteger(maxTokens) && maxTokens > 0 && { maxOutputTokens: maxTokens }),
    ...(values.get("stream") === "no" && { streams: false as const }),
    quirks: {},
  };
  return { vendor, problems: [] };
}

/** Lines `key=value`; others do not count. */
function valuesOf(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const at = line.indexOf("=");
    const value = line.slice(at + 1).trim();
    if (at > 0 && value !== "") values.set(line.slice(0, at).trim(), value);
  }
  return values;
}

/** A line a variable: its name, and what may follow is for people. */
function namesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim().split(/[\s=:]/)[0] ?? "")
    .filter(isVariable);
}

import { isSecretVariable } from "@harness/host";
import { wordList } from "@harness/protocol";
import { type Env, envValue } from "../wires/endpoint/environment.ts";
import type { SecretAccess, Vendor } from "../wires/endpoint/vendor.ts";

/** Variables that harness itself sets for a program. */
const OURS = new Set(
  "HARNESS HARNESS_PROVIDER HARNESS_MODEL HARNESS_STREAM HARNESS_THINKING HARNESS_MAX_TOKENS".split(" "),
);

/** No secrets before a project's program has said what it uses. */
export const NO_SECRETS: SecretAccess = { requested: [], granted: [] };

/** The criteria, besides the name, for a secret variable: the keys of the user's rows, and its value. */
export type SecretGrounds = { keys: ReadonlySet<string>; env: Env };

/** The variables that hold the keys of these rows, except those of projects. */
export function keyNames(rows: readonly Vendor[]): ReadonlySet<string> {
  return new Set(rows.flatMap((vendor) => (vendor.secrets ? [] : [vendor.keyEnv, ...(vendor.otherKeyEnvs ?? [])])));
}

/** True if a project's program needs a grant for this variable. Those in `OURS` are settings, not secrets. */
export function needsGrant(name: string, { keys, env }: SecretGrounds): boolean {
  return !OURS.has(name) && (name.startsWith("HARNESS_") || keys.has(name) || isSecretVariable(name, env[name]));
}

/** The row of a project's file with its access to secrets. The key of a `.conf` file is a secret, whatever its name. */
export function withSecretAccess(
  vendor: Vendor,
  { granted, ...grounds }: SecretGrounds & { granted: readonly string[] },
): Vendor {
  const { program, programEnv = [], programGiven, keyless, keyEnv } = vendor;
  if (program === undefined) return keyless ? vendor : { ...vendor, secrets: { requested: [keyEnv], granted } };
  const key = programGiven?.keyAs === undefined ? undefined : keyEnv;
  const requested = [...new Set(programEnv)].filter((name) => name === key || needsGrant(name, grounds));
  return { ...vendor, secrets: { requested, granted } };
}

/** True for a secret that the user did not grant this row. Never for the user's own rows. */
export function isWithheld({ secrets }: Pick<Vendor, "secrets">, name: string, env: Env): boolean {
  if (!secrets || secrets.granted.includes(name)) return false;
  return secrets.requested.includes(name) || isSecretVariable(name, env[name]);
}

/** The environment without the variables withheld from this row. */
export function withoutWithheld(vendor: Pick<Vendor, "secrets">, env: Env): Env {
  if (!vendor.secrets) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isWithheld(vendor, name, env)));
}

/**
 * Sentences about the secrets that a project's row asks for but does not get, each with what to do. A secret may not be
 * set, or not granted. Empty if it has them all.
 */
export function missingSecrets(vendor: Vendor, env: Env): string {
  const names = secretsAsked(vendor, env);
  const withheld = names.filter((name) => isWithheld(vendor, name, env));
  const isSet = (name: string) => envValue(env, name) !== undefined;
  const unset = names.filter((name) => !isSet(name));
  const set = withheld.filter(isSet);
  const sentences = [
    set.length > 0 && `${namesWithVerb(set)} set, but not granted to this project's provider.`,
    unset.length > 0 && `${namesWithVerb(unset)} not set.`,
    withheld.length > 0 && `To grant ${withheld.length === 1 ? "it" : "them"}: ${grantCommand(vendor, env)}`,
  ];
  return sentences.filter(Boolean).join(" ");
}

/** Names of the secrets that a project's row asks for, as far as known in advance and with these values. */
export function secretsAsked(vendor: Vendor, env: Env): string[] {
  const { secrets, programEnv = [] } = vendor;
  return [...new Set([...(secrets?.requested ?? []), ...programEnv.filter((name) => isWithheld(vendor, name, env))])];
}

/** The command that grants the withheld variables; undefined: none is withheld. */
export function grantCommand(vendor: Vendor, env: Env): string | undefined {
  const names = secretsAsked(vendor, env).filter((name) => isWithheld(vendor, name, env));
  if (names.length === 0) return undefined;
  return `harness trust --provider ${vendor.id} ${names.map((name) => `--grant ${name}`).join(" ")}`;
}

function namesWithVerb(names: readonly string[]): string {
  return `${wordList(names)} ${names.length === 1 ? "is" : "are"}`;
}

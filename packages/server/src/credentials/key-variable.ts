import type { Vendor } from "@harness/providers";

type Env = Readonly<Record<string, string | undefined>>;

/** The variable that holds a vendor's key, with the key. An empty variable counts as not set. */
export function variableOf(
  { keyEnv, otherKeyEnvs = [] }: Vendor,
  env: Env,
): { name: string; value: string } | undefined {
  for (const name of [keyEnv, ...otherKeyEnvs]) {
    const value = env[name]?.trim();
    if (value) return { name, value };
  }
  return undefined;
}

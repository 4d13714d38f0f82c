import type { Vendor } from "@harness/providers";

type Env = Readonly<Record<string, string | undefined>>;

/** The variable that holds a vendor's key, with the key. An empty variable counts as not set, and so does one that was not granted to it. */
export function variableOf(
  { keyEnv, otherKeyEnvs = [], secrets }: Vendor,
  env: Env,
): { name: string; value: string } | undefined {
  for (const name of [keyEnv, ...otherKeyEnvs]) {
    const isGranted = !secrets || secrets.granted.includes(name);
    const value = isGranted ? env[name]?.trim() : undefined;
    if (value) return { name, value };
  }
  return undefined;
}

import type { Vendor } from "@harness/providers";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The variable that holds a vendor's key, with the key. A variable that is empty or was not granted counts as not set.
 */
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

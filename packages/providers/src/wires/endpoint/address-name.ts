import { addressSettingOf } from "@harness/protocol";
import { type Env, envValue } from "./environment.ts";
import type { Vendor } from "./vendor.ts";

/** Holds the address from `-u` for the server process. */
const FLAG_VARIABLE = "HARNESS_URL";

/**
 * Where the user sets a vendor's address: the flag that it comes from, or else the setting, if there is one, and the
 * variable.
 */
export function addressName({ baseUrlEnv }: Pick<Vendor, "baseUrlEnv">, flag?: string): string {
  const setting = addressSettingOf(baseUrlEnv);
  return flag ?? (setting === undefined ? baseUrlEnv : `${setting} or ${baseUrlEnv}`);
}

/** The flag that an address comes from; undefined: it comes from elsewhere. */
export function flagForAddress(baseUrl: string | undefined, env: Env): string | undefined {
  return baseUrl !== undefined && envValue(env, FLAG_VARIABLE) === baseUrl ? `-u or ${FLAG_VARIABLE}` : undefined;
}

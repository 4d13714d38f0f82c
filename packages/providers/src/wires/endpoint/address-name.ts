import { addressSettingOf } from "@harness/protocol";
import type { Vendor } from "./vendor.ts";

/** Where a person sets the address of a vendor: the setting, where there is one, and the variable. */
export function addressName({ baseUrlEnv }: Pick<Vendor, "baseUrlEnv">): string {
  const setting = addressSettingOf(baseUrlEnv);
  return setting === undefined ? baseUrlEnv : `${setting} or ${baseUrlEnv}`;
}

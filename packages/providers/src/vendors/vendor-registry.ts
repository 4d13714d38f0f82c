import type { Vendor } from "../wires/endpoint/vendor.ts";
import { vendors } from "./vendors.ts";

/** All known vendors. */
export type VendorRegistry = {
  all: readonly Vendor[];
  /** Finds a vendor by its id or an alias. */
  of(name: string): Vendor | undefined;
  /** Problems of the user's files, as sentences. */
  problems: readonly string[];
};

export const builtInVendors: VendorRegistry = createRegistry(vendors, []);

export function createRegistry(all: readonly Vendor[], problems: readonly string[]): VendorRegistry {
  return {
    all,
    problems,
    of(name) {
      const wanted = name.toLowerCase();
      return (
        all.find(({ id }) => id === name) ??
        all.find(({ id, aliases }) => id.toLowerCase() === wanted || aliases?.includes(wanted))
      );
    },
  };
}

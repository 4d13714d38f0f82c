import { vendors } from "../src/vendors/vendors.ts";
import type { Vendor } from "../src/wires/endpoint/vendor.ts";

export function vendorOf(id: string): Vendor | undefined {
  return vendors.find((vendor) => vendor.id === id);
}

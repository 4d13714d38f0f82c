import type { Vendor } from "../wires/endpoint/vendor.ts";

/**
 * A vendor with common defaults: remote chat completions, a list of models, and variables named after its id
 * (`XAI_API_KEY`, `XAI_BASE_URL`).
 */
export function vendorRow(fields: Pick<Vendor, "id" | "name" | "baseUrl"> & Partial<Vendor>): Vendor {
  const prefix = fields.id.toUpperCase().replace(/[^A-Z0-9]/g, "_");
  return {
    local: false,
    api: "openai-chat",
    catalogue: "openai",
    baseUrlEnv: `${prefix}_BASE_URL`,
    keyEnv: `${prefix}_API_KEY`,
    models: "`/model`, or `harness models` in a shell, lists what it offers.",
    quirks: {},
    ...fields,
  };
}

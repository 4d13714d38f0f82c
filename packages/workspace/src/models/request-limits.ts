import type { Settings } from "@harness/protocol";
import type { RequestLimits } from "@harness/providers";

/** Settings for a single vendor begin with its id, such as `ollama_max_retries`, and override the general ones. */
export function requestLimits(values: Settings, vendorId: string): RequestLimits {
  const own: Readonly<Record<string, unknown>> = values;
  const ofVendor = (name: string) => {
    const value = own[`${vendorId}_${name}`];
    return typeof value === "number" ? value : undefined;
  };
  const seconds = ofVendor("timeout_secs") ?? values.request_timeout_secs;
  return { maxRetries: ofVendor("max_retries") ?? values.max_retries, ...(seconds && { timeoutMs: seconds * 1000 }) };
}

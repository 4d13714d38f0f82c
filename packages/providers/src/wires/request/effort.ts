import type { Endpoint } from "../endpoint/endpoint.ts";
import type { EffortLevels, WireName } from "../endpoint/vendor.ts";

/** The levels that most servers of an API accept in place of those they lack. */
const usual: Readonly<Record<WireName, EffortLevels>> = {
  "openai-chat": { minimal: "low", xhigh: "high", max: "high" },
  "openai-responses": { max: "xhigh" },
  anthropic: { minimal: "low" },
  ollama: { minimal: "low", xhigh: "high", max: "high" },
};

/** The level to send for the user's choice. */
export function sentEffort({ vendor, api }: Pick<Endpoint, "vendor" | "api">, effort: string): string {
  return (vendor.quirks.effortLevels ?? usual[api])[effort] ?? effort;
}

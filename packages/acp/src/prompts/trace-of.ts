import type { PromptRequest } from "@agentclientprotocol/sdk/unstable";
import type { PromptOptions } from "@harness/client";

const MAX_LENGTH = 512;

/** The W3C trace context of the editor, which the turn then belongs to. */
export function traceOf(meta: PromptRequest["_meta"]): Pick<PromptOptions, "traceparent"> {
  const { traceparent } = meta ?? {};
  return typeof traceparent === "string" && traceparent.length <= MAX_LENGTH ? { traceparent } : {};
}

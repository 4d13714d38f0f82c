import type { PromptRequest } from "@agentclientprotocol/sdk/unstable";
import type { PromptOptions } from "@harness/client";

type PromptWishes = Pick<PromptOptions, "delivery" | "traceparent">;

const MAX_LENGTH = 512;

/**
 * Reads the wishes in `_meta` of a prompt: `steering` sends it into the running turn, `traceparent` is the trace of the editor that the
 * turn belongs to.
 */
export function promptWishes(meta: PromptRequest["_meta"]): PromptWishes {
  const { steering, traceparent } = meta ?? {};
  const isTrace = typeof traceparent === "string" && traceparent.length <= MAX_LENGTH;
  return { ...(steering === true && { delivery: "steer" as const }), ...(isTrace && { traceparent }) };
}

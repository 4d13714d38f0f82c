import type { StopReason as AcpStopReason, Usage as AcpUsage, PromptResponse } from "@agentclientprotocol/sdk/unstable";
import type { StopReason, Usage } from "@harness/protocol";

/** `error`: the prompt fails instead. `loop`: a notice before it says why. */
const stopReasons: Readonly<Record<Exclude<StopReason, "error">, AcpStopReason>> = {
  end_turn: "end_turn",
  max_tokens: "max_tokens",
  max_turn_requests: "max_turn_requests",
  budget: "max_turn_requests",
  refusal: "refusal",
  cancelled: "cancelled",
  interrupted: "cancelled",
  loop: "end_turn",
};

/** The answer to a prompt whose turn ended so; `usage`: of the turn, with its subagents. */
export function promptAnswer(reason: Exclude<StopReason, "error">, usage?: Usage): PromptResponse {
  const counts = usage && usageOf(usage);
  const stopReason = stopReasons[reason];
  return {
    stopReason,
    ...(counts && { usage: counts }),
    ...(stopReason === reason ? {} : { _meta: { harness: { stopReason: reason } } }),
  };
}

/** Undefined if the provider counted nothing. */
function usageOf({ inputTokens, outputTokens, ...rest }: Usage): AcpUsage | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const { cacheReadTokens, cacheWriteTokens, reasoningTokens } = rest;
  const input = inputTokens ?? 0;
  const output = outputTokens ?? 0;
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output,
    ...(cacheReadTokens === undefined ? {} : { cachedReadTokens: cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cachedWriteTokens: cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { thoughtTokens: reasoningTokens }),
  };
}

import type { StopReason } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { promptAnswer } from "./stop-reason.ts";

describe("the answer to a prompt", () => {
  it.each<[Exclude<StopReason, "error">, string]>([
    ["end_turn", "end_turn"],
    ["max_tokens", "max_tokens"],
    ["max_turn_requests", "max_turn_requests"],
    ["budget", "max_turn_requests"],
    ["refusal", "refusal"],
    ["cancelled", "cancelled"],
    ["interrupted", "cancelled"],
    ["loop", "end_turn"],
  ])("says of a turn that ended with %s: %s", (reason, stopReason) => {
    const more = reason === stopReason ? {} : { _meta: { harness: { stopReason: reason } } };
    expect(promptAnswer(reason)).toEqual({ stopReason, ...more });
  });

  it("has the tokens that were counted", () => {
    expect(promptAnswer("end_turn", { outputTokens: 3, cacheReadTokens: 2 }).usage).toEqual({
      inputTokens: 0,
      outputTokens: 3,
      totalTokens: 3,
      cachedReadTokens: 2,
    });
    expect(promptAnswer("end_turn", {}).usage).toBeUndefined();
  });
});

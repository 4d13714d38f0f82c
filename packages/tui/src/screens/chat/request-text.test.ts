import type { RequestStatus } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { compactionText, requestText } from "./request-text.ts";

const status = (phase: RequestStatus["phase"], more: Partial<RequestStatus> = {}): RequestStatus => ({
  sessionUpdate: "request_status",
  messageId: "m1",
  phase,
  ...more,
});

describe("the phase of a request", () => {
  it.each([
    [status("queued", { ahead: 1, slots: 2 }), undefined, "Waiting for a slot · 1 ahead (2 slots)"],
    [status("queued", { ahead: 3, slots: 1 }), 8000, "Waiting for a slot · 3 ahead (1 slot) · 8 s"],
    [status("queued"), 900, "Waiting for a slot"],
    [status("loading"), undefined, "Loading the model"],
    [status("loading"), 12_000, "Loading the model · 12 s"],
    [status("reconnecting"), 12_000, "Waiting for the server to come back · 12 s"],
    [status("prefill"), 8000, "Reading the prompt · 8 s"],
    [status("prefill", { totalTokens: 12_300 }), 8000, "Reading the prompt · 12.3k tokens · 8 s"],
    [
      status("prefill", { doneTokens: 4182, totalTokens: 12_300 }),
      65_000,
      "Reading the prompt · 34 % of 12.3k tokens · 1 min 05 s",
    ],
    [
      status("prefill", { doneTokens: 13_000, totalTokens: 12_300 }),
      undefined,
      "Reading the prompt · 100 % of 12.3k tokens",
    ],
    [status("prefill", { doneTokens: 0, totalTokens: 0 }), undefined, "Reading the prompt · 0 tokens"],
  ])("%j after %s ms", (waiting, ms, text) => {
    expect(requestText(waiting, ms)).toBe(text);
  });
});

describe("how far a compaction is", () => {
  const compaction = (phase: "summarize" | "merge", done: number, total: number) => ({
    sessionUpdate: "compaction_status" as const,
    compactionId: "c1",
    phase,
    done,
    total,
  });

  it.each([
    [compaction("summarize", 0, 1), undefined, "Compacting the conversation"],
    [compaction("summarize", 1, 4), 500, "Compacting the conversation · pass 2 of 4"],
    [compaction("merge", 3, 4), 65_000, "Compacting the conversation · merging the parts · 1 min 05 s"],
  ])("%j after %s ms", (status, ms, text) => {
    expect(compactionText(status, ms)).toBe(text);
  });
});

import type { Price, Usage } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { costOf } from "./cost-of.ts";

const price: Price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const unpriced = { usd: 0, unpricedRequests: 1 };

describe("the cost of a request", () => {
  it.each<[string, Usage, Price, number]>([
    ["input and output", { inputTokens: 1_000_000, outputTokens: 100_000 }, price, 4.5],
    [
      "what came from a cache is part of the input",
      { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 900_000, cacheWriteTokens: 100_000 },
      price,
      0.645,
    ],
    [
      "a cache without a price of its own costs as input",
      { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 900_000 },
      { input: 3, output: 15 },
      3,
    ],
    ["nothing read and nothing written", { inputTokens: 0, outputTokens: 0 }, price, 0],
    ["thoughts are part of the output", { inputTokens: 0, outputTokens: 1_000, reasoningTokens: 900 }, price, 0.015],
  ])("the cost of a request: %s", (_name, usage, of, usd) => {
    const cost = costOf(usage, of);
    expect(cost.usd).toBeCloseTo(usd, 10);
    expect(cost.unpricedRequests).toBe(0);
  });

  it.each<[string, Usage | undefined, Price | undefined]>([
    ["no price", { inputTokens: 1, outputTokens: 1 }, undefined],
    ["row 17: no report", undefined, price],
    ["row 17: no count of the input", { outputTokens: 1 }, price],
    ["row 17: no count of the output", { inputTokens: 1 }, price],
    ["row 17: NaN", { inputTokens: Number.NaN, outputTokens: 1 }, price],
    ["row 17: a negative count", { inputTokens: 1, outputTokens: -1 }, price],
    ["row 17: an infinite count", { inputTokens: Number.POSITIVE_INFINITY, outputTokens: 1 }, price],
    ["row 17: a negative cache", { inputTokens: 1, outputTokens: 1, cacheReadTokens: -1 }, price],
    ["more from a cache than there was", { inputTokens: 1, outputTokens: 1, cacheReadTokens: 2 }, price],
    ["a price that is not a number", { inputTokens: 1, outputTokens: 1 }, { input: Number.NaN, output: 1 }],
    ["a negative price", { inputTokens: 1, outputTokens: 1 }, { input: -5, output: 1 }],
  ])("the cost of a request is unknown, and never 0: %s", (_name, usage, of) => {
    expect(costOf(usage, of)).toEqual(unpriced);
  });

  it("the cost of a request to a free model is 0, whatever was reported", () => {
    const free = { input: 0, output: 0 };
    expect(costOf(undefined, free)).toEqual({ usd: 0, unpricedRequests: 0 });
    expect(costOf({ inputTokens: Number.NaN }, free)).toEqual({ usd: 0, unpricedRequests: 0 });
    expect(costOf(undefined, { ...free, cacheWrite: 1 })).toEqual(unpriced);
  });

  it("the cost of a long prompt uses its own rates for the whole request", () => {
    const long = { ...price, longPrompt: { overTokens: 200_000, input: 6, output: 22.5, cacheRead: 0.6 } };
    const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 1_000, cacheReadTokens: 100_000 });
    expect(costOf(usage(200_000), long).usd).toBeCloseTo(0.3 + 0.03 + 0.015, 10);
    expect(costOf(usage(200_001), long).usd).toBeCloseTo(0.600006 + 0.06 + 0.0225, 10);
    expect(costOf({ inputTokens: 300_000, outputTokens: 0, cacheWriteTokens: 300_000 }, long).usd).toBeCloseTo(1.8, 10);
    expect(costOf(undefined, { input: 0, output: 0, longPrompt: { overTokens: 1, input: 1, output: 1 } })).toEqual(
      unpriced,
    );
  });
});

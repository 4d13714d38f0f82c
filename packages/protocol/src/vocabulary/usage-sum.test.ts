import { describe, expect, it } from "vitest";
import { addCost, addUsage, NO_COST } from "./usage-sum.ts";

describe("addUsage", () => {
  it("adds token counts; a field that no report has stays absent", () => {
    const sum = addUsage(addUsage({}, { inputTokens: 1, outputTokens: Number.NaN }), {
      inputTokens: 2,
      cacheReadTokens: 0,
    });
    expect(sum).toEqual({ inputTokens: 3, cacheReadTokens: 0 });
    expect(addUsage(sum, undefined)).toEqual(sum);
    expect(addUsage({}, { inputTokens: -1 })).toEqual({});
  });
});

describe("addCost", () => {
  it("adds known costs, and counts unknown ones beside them", () => {
    const sum = addCost(addCost(NO_COST, { usd: 0.5, unpricedRequests: 0 }), { usd: 0, unpricedRequests: 1 });
    expect(sum).toEqual({ usd: 0.5, unpricedRequests: 1 });
    expect(addCost(sum, undefined)).toEqual(sum);
  });
});

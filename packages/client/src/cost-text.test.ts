import { describe, expect, it } from "vitest";
import { costText, moneyText, priceText } from "./cost-text.ts";

describe("money", () => {
  it.each([
    [0, "$0.00"],
    [0.0004, "<$0.01"],
    [0.01, "$0.01"],
    [0.126, "$0.13"],
    [12, "$12.00"],
    [1204.4, "$1,204"],
  ])("%d is %s", (usd, text) => {
    expect(moneyText(usd)).toBe(text);
  });

  it.each([
    [0, 0, "free"],
    [0.12, 0, "$0.12"],
    [0, 2, "unknown"],
    [0.12, 1, "$0.12 and 1 request of unknown price"],
    [0.12, 3, "$0.12 and 3 requests of unknown price"],
  ])("$%d and %i unknown are %s", (usd, unpricedRequests, text) => {
    expect(costText({ usd, unpricedRequests })).toBe(text);
  });

  it.each([
    [undefined, "unknown"],
    [{ input: 0, output: 0 }, "free"],
    [{ input: 3, output: 15 }, "$3 in, $15 out"],
    [{ input: 0.035, output: 0.1, cacheRead: 0.001 }, "$0.035 in, $0.1 out"],
  ])("a price %j is %s", (price, text) => {
    expect(priceText(price)).toBe(text);
  });
});

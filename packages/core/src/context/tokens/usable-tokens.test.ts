import { describe, expect, it } from "vitest";
import { cutResult } from "../cut-result.ts";
import { TokenMeter } from "./token-meter.ts";
import { tokensRead } from "./truncation.ts";
import { measurePressure, resultLimitChars, usableTokens } from "./usable-tokens.ts";

describe("the context window", () => {
  it.each([
    [128_000, 123_904],
    [8_192, 6_144],
    [16_384, 12_288],
  ])("the context window of %d tokens has %d to use", (contextWindow, usable) => {
    expect(usableTokens(contextWindow)).toBe(usable);
  });

  it.each([
    [6_999, "none"],
    [7_000, "warn"],
    [7_999, "warn"],
    [8_999, "warn"],
    [9_000, "critical"],
    [20_000, "critical"],
  ])("%d of 10,000 tokens are the pressure %s", (used, pressure) => {
    expect(measurePressure(used * 3, 34_096)).toBe(pressure);
  });
});

describe("a token count", () => {
  it("a token count is an estimate until a provider counts", () => {
    expect(new TokenMeter().used(4_001)).toBe(1_001);
  });

  it("a token count is the provider's plus an estimate of what was added", () => {
    const meter = new TokenMeter();
    meter.count(1_500, 4_000, 4_400);
    expect(meter.used(4_400)).toBe(1_600);
    expect(meter.used(4_800)).toBe(1_700);
  });

  it.each([
    ["with what came from a cache beside it", { inputTokens: 10, cacheReadTokens: 1_490 }, 1_500],
    ["not doubled by what came from a cache", { inputTokens: 1_500, cacheReadTokens: 1_400 }, 1_500],
    ["nothing without a report", undefined, undefined],
    ["nothing but numbers", { inputTokens: Number.NaN }, undefined],
    ["nothing below zero", { inputTokens: -5 }, undefined],
  ])("a token count is taken from a report: %s", (_name, usage, tokens) => {
    expect(tokensRead(usage)).toBe(tokens);
  });

  it("a token count is forgotten when the messages are replaced", () => {
    const meter = new TokenMeter();
    meter.count(1_500, 4_000, 4_000);
    meter.forget();
    expect(meter.used(400)).toBe(100);
  });
});

describe("a result that is too long", () => {
  it("a result that is too long keeps its head and tail and says where the rest is", () => {
    const text = `${"h".repeat(3_000)}${"t".repeat(3_000)}`;
    const cut = cutResult(text, resultLimitChars(1_000), "/blobs/1.txt");
    expect(cut.startsWith("h".repeat(1_400))).toBe(true);
    expect(cut.endsWith("t".repeat(600))).toBe(true);
    expect(cut).toContain("4000 of 6000 characters left out. The whole text is in /blobs/1.txt.");
    expect(cutResult(text, 2_000, undefined)).toContain("Ask for less");
  });

  it("a result that is too long is left alone where it fits, and never cut through a character", () => {
    expect(cutResult("short", 2_000, undefined)).toBe("short");
    expect(cutResult("😀".repeat(3_000), 2_001, undefined).isWellFormed()).toBe(true);
    expect(cutResult(`x${"😀".repeat(3_000)}`, 2_001, undefined).isWellFormed()).toBe(true);
  });
});

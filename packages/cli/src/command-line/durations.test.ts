import { describe, expect, it } from "vitest";
import { formatDuration, parseDurationMs } from "./durations.ts";

describe("parseDurationMs", () => {
  it.each([
    ["90s", 90_000],
    ["10m", 600_000],
    ["2h", 7_200_000],
    ["1.5h", 5_400_000],
    ["500ms", 500],
    ["30", 30_000],
    [" 5s ", 5_000],
    // A timer with a delay of more than 2^31−1 ms fires at once.
    ["9999h", 2 ** 31 - 1],
    [`${"9".repeat(400)}h`, 2 ** 31 - 1],
  ])("parses %s as %d ms", (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  it.each(["", "0", "0s", "-5s", "5 s", "5d", "s", "1e3", "1,5h", ".5s", "Infinity", "10m30s", "5S"])(
    "rejects %j",
    (text) => {
      expect(parseDurationMs(text)).toBeUndefined();
    },
  );
});

describe("formatDuration", () => {
  it.each([
    [500, "500 ms"],
    [1_500, "1.5 s"],
    [90_000, "1.5 min"],
    [600_000, "10 min"],
    [7_200_000, "2 h"],
  ])("formats %d ms as %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

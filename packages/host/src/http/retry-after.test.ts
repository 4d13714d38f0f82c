import { expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const now = Date.parse("2026-11-21T10:00:00Z");

it.each<[string, Record<string, string>, number | undefined]>([
  ["seconds", { "retry-after": "2" }, 2_000],
  ["fractions", { "retry-after": "0.5" }, 500],
  ["a date", { "retry-after": "Sat, 21 Nov 2026 10:00:07 GMT" }, 7_000],
  ["a past date", { "retry-after": "Sat, 21 Nov 2026 09:00:00 GMT" }, undefined],
  ["nothing to wait", { "retry-after": "0" }, undefined],
  ["a negative time", { "retry-after": "-5" }, undefined],
  ["more than anybody waits", { "retry-after": "1000000000" }, 1e12],
  ["words", { "retry-after": "abc" }, undefined],
  ["an empty value", { "retry-after": " " }, undefined],
  ["a number in a foreign form", { "retry-after": "1e9" }, undefined],
  ["milliseconds", { "retry-after-ms": "1500" }, 1_500],
  ["milliseconds before seconds", { "retry-after-ms": "20", "retry-after": "9" }, 20],
  ["bad milliseconds", { "retry-after-ms": "x", "retry-after": "9" }, 9_000],
  ["no header", {}, undefined],
])("retry-after: %s is read", (_name, headers, expected) => {
  expect(retryAfterMs(headers, now)).toBe(expected);
});

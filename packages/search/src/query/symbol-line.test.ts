import { expect, it } from "vitest";
import { symbolLine } from "./symbol-line.ts";

it.each([
  ["function retry() {}", "retry", 10],
  ["/** retry it */\nfunction retry() {}", "retry", 11],
  ["// retry\n# retry\n * retry\ndef retry(x):", "retry", 13],
  ["retryLimit();\nconst retry = 1;", "retry", 11],
  ["#define RETRY 1", "RETRY", 10],
  ["it is elsewhere", "retry", 10],
])("in %j, %s is on line %i", (text, name, line) => {
  expect(symbolLine({ startLine: 10, text }, name)).toBe(line);
});

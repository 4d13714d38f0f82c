import { expect, it } from "vitest";
import { spokenTime } from "./spoken-time.ts";

it.each([
  [0, "0 s"],
  [499, "0 s"],
  [12_400, "12 s"],
  [59_600, "1 min 00 s"],
  [65_000, "1 min 05 s"],
  [3_600_000, "1 h 00 min"],
  [7_380_000, "2 h 03 min"],
])("%d ms are spoken of as %s", (ms, text) => {
  expect(spokenTime(ms)).toBe(text);
});

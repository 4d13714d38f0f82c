import { expect, it } from "vitest";
import { roughTime } from "./rough-time.ts";

it.each([
  [-1, "0 s"],
  [99_999, "99 s"],
  [100_000, "1 min"],
  [5_999_000, "99 min"],
  [10_900_000, "3 h"],
])("%d ms are roughly %s", (ms, text) => {
  expect(roughTime(ms)).toBe(text);
});

import { expect, it } from "vitest";
import { elapsed } from "./elapsed.ts";

it.each([
  [-400, "0 s"],
  [2999, "2 s"],
  [59_999, "59 s"],
  [125_700, "2 min 05 s"],
  [3_720_000, "1 h 02 min"],
])("after %d ms, %s have passed", (ms, text) => {
  expect(elapsed(ms)).toBe(text);
});

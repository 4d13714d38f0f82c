import { expect, it } from "vitest";
import { typedAhead } from "./typed-ahead.ts";

it.each([
  ["hello\n", "hello\r", "the Enter behind a text"],
  ["one\ntwo\n", "one\ntwo\r", "of several lines only the last one"],
  ["\n", "\n", "an Enter alone"],
  ["hello\nwor", "hello\nwor", "a line that is not finished"],
  ["", "", "nothing"],
])("%j typed before raw mode is read as %j: %s", (typed, read) => {
  expect(new TextDecoder().decode(typedAhead(new TextEncoder().encode(typed)))).toBe(read);
});

import { expect, it } from "vitest";
import { typedAhead } from "./typed-ahead.ts";

it.each([
  ["hello\n", "hello\r", "the Enter behind a text"],
  ["one\ntwo\n", "one\ntwo\r", "of several lines only the last one"],
  ["hello\n\u001b[0n", "hello\r\u001b[0n", "the terminal's reply behind it"],
  ["\n\u001b[0n", "\n\u001b[0n", "an Enter alone, and a reply"],
  ["\n", "\n", "an Enter alone"],
  ["hello\nwor", "hello\nwor", "a line that is not finished"],
  ["", "", "nothing"],
])("%j typed before raw mode is read as %j: %s", (typed, read) => {
  expect(new TextDecoder().decode(typedAhead(new TextEncoder().encode(typed)))).toBe(read);
});

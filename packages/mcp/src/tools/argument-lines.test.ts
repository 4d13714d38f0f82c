import { expect, it } from "vitest";
import { argumentLines } from "./argument-lines.ts";

it("shows arguments as lines, and no text as something else", () => {
  const args = {
    message: "hello",
    count: 3,
    flag: true,
    on: "true",
    none: "",
    list: ["a"],
    text: "one\ncount: 4",
    "a: b": "x",
  };
  expect(argumentLines(args)).toEqual([
    "message: hello",
    "count: 3",
    "flag: true",
    'on: "true"',
    'none: ""',
    'list: ["a"]',
    "text:",
    "  one",
    "  count: 4",
    '"a: b": x',
  ]);
});

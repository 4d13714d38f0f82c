import { expect, it } from "vitest";
import { promptArguments } from "./prompt-arguments.ts";

const declared = [
  { name: "city", required: true },
  { name: "style", required: false },
];

it.each([
  ["Paris", { city: "Paris" }],
  ["Paris in short", { city: "Paris", style: "in short" }],
  ['"New York" warm', { city: "New York", style: "warm" }],
  ["style=warm Rome", { style: "warm", city: "Rome" }],
  ["city=Rome", { city: "Rome" }],
  ["a=b", { city: "a=b" }],
])("arguments of a prompt are read as they are typed: %s", (typed, values) => {
  expect(promptArguments(declared, typed)).toEqual({ values });
});

it("a required argument of a prompt that is missing is named", () => {
  expect(promptArguments(declared, "style=warm")).toEqual({ missing: ["city"] });
  expect(promptArguments([], "whatever")).toEqual({ values: {} });
});

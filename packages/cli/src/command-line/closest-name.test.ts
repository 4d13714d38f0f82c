import { describe, expect, it } from "vitest";
import { closestName } from "./closest-name.ts";

const known = ["model", "continue", "resume", "output", "output-format", "cd", "deny"];

describe("closestName", () => {
  it.each([
    ["modle", "model"],
    ["mdoel", "model"],
    ["models", "model"],
    ["contniue", "continue"],
    ["resum", "resume"],
    ["ouput-format", "output-format"],
    ["outputformat", "output-format"],
    // The start of a name.
    ["cont", "continue"],
    ["out", "output"],
    ["cwd", "cd"],
  ])("finds %s for %s", (typed, meant) => {
    expect(closestName(typed, known)).toBe(meant);
  });

  it.each(["", "x", "colour", "dangerously-skip-permissions", "constructor"])("finds nothing for %j", (typed) => {
    expect(closestName(typed, known)).toBeUndefined();
  });

  it("finds nothing among no candidates", () => {
    expect(closestName("model", [])).toBeUndefined();
  });
});

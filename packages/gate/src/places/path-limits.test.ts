import { describe, expect, it } from "vitest";
import { pathIssue } from "./path-limits.ts";

const read = (path: string) => [{ kind: "read" as const, path }];

describe("a path that no system takes", () => {
  it.each([
    ["parts without end", `/w/${"d/".repeat(2100)}`, "This path is too long (4203 bytes"],
    ["letters of several bytes", `/${"日本/".repeat(600)}x`, "This path is too long (4202 bytes"],
    ["one name", `/w/${"n".repeat(256)}`, "This file name is too long (256 bytes"],
    ["one name of other letters", `/w/${"é".repeat(128)}`, "This file name is too long (256 bytes"],
  ])("is named without being looked up: %s", (_name, path, words) => {
    expect(pathIssue(read(path))).toContain(words);
  });
  it.each([
    ["the longest path", `/${"d/".repeat(2047)}`],
    ["the longest name", `/w/${"n".repeat(255)}`],
    ["many names of other letters", `/w/${"日/".repeat(1000)}`],
  ])("is not %s", (_name, path) => {
    expect(pathIssue(read(path))).toBeUndefined();
  });
  it("is not one of a command, whose words are texts", () => {
    expect(pathIssue([{ kind: "run", command: `echo ${"d/".repeat(3000)}`, cwd: "/w" }])).toBeUndefined();
  });
  it("is said of all paths of a call together", () => {
    const many = Array.from({ length: 5000 }, (_, at) => ({
      kind: "read" as const,
      path: `/w/${"x".repeat(60)}/${at}`,
    }));
    expect(pathIssue(many)).toContain("names 5000 paths, too many for one call");
    expect(pathIssue(many.slice(0, 1000))).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { isRepositoryPart } from "./repository-part.ts";

const there = new Set(
  "/w/bare/HEAD /w/bare/objects /w/bare/refs /w/half/objects /w/half/refs /w/half/config /w/tree/HEAD /w/tree/commondir /w/config /w/new/HEAD".split(
    " ",
  ),
);
const of = (path: string) => isRepositoryPart(path, (each) => there.has(each));

describe("a part of a git folder of any name", () => {
  it.each([
    "/w/bare/config",
    "/w/bare/hooks/pre-commit",
    "/w/bare/objects/info/alternates",
    "/w/bare/CONFIG",
    "/w/half/HEAD",
    "/w/tree/commondir",
    "/w/tree/config.worktree",
    "/w/new/commondir",
  ])("is recognised: %s", (path) => {
    expect(of(path)).toBe(true);
  });

  it.each([
    "/w/config",
    "/w/src/config/index.ts",
    "/w/hooks/use-x.ts",
    "/w/half/config",
    "/w/half/hooks/x",
    "/w/new/objects/x",
    "/w/bare/readme",
    "/w/HEAD",
  ])("is not assumed: %s", (path) => {
    expect(of(path)).toBe(false);
  });
});

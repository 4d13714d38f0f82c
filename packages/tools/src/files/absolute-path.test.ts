import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { absolutePath, displayPath } from "./absolute-path.ts";

describe("the path that a model meant", () => {
  it.each([
    ["a relative one", "src/a.ts", "/w/src/a.ts"],
    ["an absolute one", "/b/../a", "/a"],
    ["one in the home folder", "~/a", `${homedir()}/a`],
    ["the address of a file", "file:///a%20b", "/a b"],
    ["an invalid address", "file://host:x", "/w/file:/host:x"],
    ["half of a pair, as the system writes it", "a\ud800", "/w/a\ufffd"],
  ])("is known from %s", (_name, input, path) => {
    expect(absolutePath(input, "/w")).toBe(path);
  });
});

describe("the path as it is shown", () => {
  it.each([
    ["inside", "/w/a", "a"],
    ["the folder itself", "/w", "."],
    ["outside", "/a", "/a"],
    ["with half of a pair", "/w/a\ud800", "a\ufffd"],
  ])("is short and whole: %s", (_name, path, shown) => {
    expect(displayPath(path, "/w")).toBe(shown);
  });
});

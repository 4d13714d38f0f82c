import { describe, expect, it } from "vitest";
import { checkPrefix, readOnlyPrefixes } from "./prefix-list.ts";

describe("the list of what runs unasked", () => {
  it("names what the table has, and nothing that is asked about", () => {
    const list = readOnlyPrefixes();
    expect(list).toEqual(expect.arrayContaining(["cd", "ls", "cat", "sort", "git log", "git stash list"]));
    for (const asked of ["cargo tree", "cargo metadata", "cargo doc", "glob", "git", "git push"])
      expect(list).not.toContain(asked);
  });

  it.each([
    ["npm test", "adds"],
    ["git push", "adds"],
    ["cargo tree", "adds"],
    ["make", "adds"],
    ["docker ps", "adds"],
    ["node scripts/check.js", "adds"],
    ["ls", "known"],
    ["git log", "known"],
    ["git log -5", "known"],
    ["sort", "known"],
    ["sed", "known"],
    ["cd", "known"],
    ["cargo --version", "known"],
    ["sed -i", "none"],
    ["sort -o", "none"],
    ["find . -delete", "none"],
    ["git branch -D", "none"],
    ["git", "none"],
    ["node", "none"],
    ["bash -c", "none"],
    ["sudo", "none"],
    ["xargs rm", "none"],
    ["export", "none"],
  ])("would it change anything to add %j? %s", (prefix, use) => {
    expect(checkPrefix(prefix)).toMatchObject({ use });
  });
});

import { describe, expect, it } from "vitest";
import { readStrictLine } from "../shell/strict-line.ts";
import { safeCommandVerdict } from "./safe-command.ts";
import { startingPrefixes } from "./starting-prefixes.ts";

function isSafe(command: string, prefixes: readonly string[] | null): boolean {
  const line = readStrictLine(command);
  return !("outside" in line) && "paths" in safeCommandVerdict(line, prefixes, { cwd: "/w" });
}

describe("the initial content of a person's list", () => {
  it.each([
    "ls -la",
    "sort -u a.txt | uniq -c",
    "rg foo src",
    "git blame a.ts",
    "git ls-files | wc -l",
    "jq .a a.json",
    "sed -n 1,5p a.ts",
    "find . -name '*.ts'",
    "date +%F",
  ])("allows %s, like the absence of a list", (command) => {
    expect(isSafe(command, null)).toBe(true);
    expect(isSafe(command, startingPrefixes())).toBe(true);
  });

  it.each([
    "git push",
    "git branch -D x",
    "find . -delete",
    "sort -o a b",
    "sed -i s/a/b/ x",
    "date -s now",
    "npm test",
  ])("does not allow %s, like the absence of a list", (command) => {
    expect(isSafe(command, null)).toBe(false);
    expect(isSafe(command, startingPrefixes())).toBe(false);
  });
});

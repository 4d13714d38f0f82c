import { describe, expect, it } from "vitest";
import { readStrictLine } from "../shell/strict-line.ts";
import { builtinSafePrefixes, safeCommandVerdict } from "./safe-command.ts";

function verdict(command: string, prefixes: readonly string[] | null) {
  const line = readStrictLine(command);
  if ("outside" in line) throw new Error(`${command}: ${line.outside}`);
  return safeCommandVerdict(line, prefixes, { cwd: "/w" });
}
const isSafe = (command: string, prefixes: readonly string[] | null) => "paths" in verdict(command, prefixes);

describe("the built-in list of safe commands", () => {
  it("has the 44 of the first list, in its order", () => {
    expect(builtinSafePrefixes).toHaveLength(44);
    expect(builtinSafePrefixes.slice(0, 5)).toEqual(["cd", "ls", "grep", "glob", "find"]);
    expect(builtinSafePrefixes.slice(-5)).toEqual([
      "cargo tree",
      "cargo metadata",
      "cargo doc",
      "rustc --version",
      "cargo --version",
    ]);
  });

  it("allows no more than the table of programs", () => {
    for (const command of [
      "find . -delete",
      "env sh",
      "git branch -D x",
      "cargo doc",
      "git tag x",
      "hostname x",
      "glob x",
    ]) {
      expect(isSafe(command, builtinSafePrefixes), command).toBe(false);
      expect(isSafe(command, null), command).toBe(false);
    }
  });

  it("is stricter than the absence of a list", () => {
    expect(isSafe("sort a", builtinSafePrefixes)).toBe(false);
    expect(isSafe("sort a", null)).toBe(true);
    expect(isSafe("ls | grep x", builtinSafePrefixes)).toBe(true);
  });
});

describe("a person's own list of safe commands", () => {
  const own = ["npm test", "npm run lint", "make check", "cat", "tail", "cd", "find", "git push", "git log", "mytool"];

  it.each([
    "npm test",
    "npm test -- x",
    "npm test -- --run 'a b' 2>&1",
    "npm run lint >/dev/null",
    "make check",
    "make check VERBOSE=1",
    "npm test | tail -5",
    "npm test && npm run lint",
    "cat a",
    "git push origin main",
    "git log -5",
    "mytool",
    "mytool --anything ../x",
    "find . -name '*.ts'",
    "cd a && cat b",
  ])("covers %s", (command) => {
    expect(verdict(command, own)).toHaveProperty("paths");
  });

  it.each([
    "npm testing",
    "npm tes",
    "npm run lint:fix",
    "npm install",
    "npm",
    "make",
    "npm test && rm x",
    "npm test | head",
    "npm test; ls",
    "cat a | sort",
    "find . -delete",
    "find . -exec rm {} +".replace("{}", "'{}'"),
    "git log --output=x",
    "git push --receive-pack=./x",
    "git push --exec ./x",
    "git -c a=b push",
    "git pushy",
    "cd a && npm test",
    "CI=1 npm test",
    "NO_COLOR=1 mytool",
    "ls",
  ])("does not cover %s", (command) => {
    expect(verdict(command, own)).toHaveProperty("reason");
  });

  it("explains what is not covered", () => {
    expect(verdict("npm test && rm x", own)).toEqual({ reason: "rm x is not on the list of safe commands" });
    expect(verdict("cd a && npm test", own)).toEqual({
      reason: "npm: npm test is allowed in this folder, but not after a cd",
    });
  });

  it.each([
    ["node", "node x.js"],
    ["node", "node -e 1"],
    ["node x.js", "node -e 1"],
    ["node --no-warnings", "node --no-warnings -e 1"],
    ["node --no-warnings", "node --no-warnings --eval=1"],
    ["python3", "python3 -c 1"],
    ["python3 -c", "python3 -c 1"],
    ["python3 -u", "python3 -u -c 1"],
    ["bash", "bash x"],
    ["bash -c", "bash -c ls"],
    ["bash --norc", "bash --norc -c ls"],
    ["sh -x", "sh -x -c ls"],
    ["perl -w", "perl -w -e 1"],
    ["sudo", "sudo ls"],
    ["env", "env ls"],
    ["xargs", "xargs rm"],
    ["ssh", "ssh host rm"],
    ["docker", "docker run x"],
    ["git", "git push"],
    ["awk", "awk 'BEGIN{system(1)}'"],
    ["sed", "sed -i s/a/b/ x"],
    ["eval", "eval ls"],
    ["source", "source x"],
    ["export", "export A=b"],
    ["command", "command ls"],
    ["exec", "exec ls"],
    ["", "ls"],
    ["  ", "ls"],
  ])("with %j does not cover %s", (prefix, command) => {
    expect(verdict(command, [prefix])).toHaveProperty("reason");
  });

  it.each([
    ["node scripts/check.js", "node scripts/check.js --all"],
    ["python3 -m pytest", "python3 -m pytest -k foo"],
    ["bash scripts/test.sh", "bash scripts/test.sh unit"],
    ["node --test", "node --test src"],
    ["node --version", "node --version"],
    ["docker ps", "docker ps -a"],
    ["cargo tree --offline", "cargo tree --offline -d"],
  ])("with %j covers %s", (prefix, command) => {
    expect(verdict(command, [prefix])).toHaveProperty("paths");
  });
});

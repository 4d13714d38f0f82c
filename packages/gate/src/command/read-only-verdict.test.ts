import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { everydayCommands } from "../../test/cases/all.cases.ts";
import { readStrictLine } from "../shell/strict-line.ts";
import { foldersOfLine, pathsOfLine, readOnlyVerdict } from "./read-only-verdict.ts";

function lineOf(command: string) {
  const line = readStrictLine(command);
  if ("outside" in line) throw new Error(`${command}: ${line.outside}`);
  return line;
}
const verdict = (command: string, enter?: (path: string) => string) =>
  readOnlyVerdict(lineOf(command), { cwd: "/w", ...(enter ? { enter } : {}) });

const sameAs = (paths: readonly string[]) => (found: string[]) => found.sort().join() === [...paths].sort().join();

describe("the paths that a command line may open", () => {
  it.each<[command: string, paths: string[]]>([
    ["cat a.txt", ["/w/a.txt"]],
    ["cat ./a//b.txt /etc/passwd", ["/w/a/b.txt", "/etc/passwd"]],
    ["cat ../x", ["/x"]],
    ["cat -", ["/w/-"]],
    ["cat", []],
    // Some systems take a flag after a file for another file, and some flags have no value.
    ["head a -n 5", ["/w/a", "/w/-n", "/w/5"]],
    ["cat a -- b", ["/w/a", "/w/b", "/w/--"]],
    ["sed p a -e /x/p", ["/w/p", "/w/a", "/w/-e", "/x/p"]],
    ["sort a -rk1", ["/w/a", "/w/-rk1"]],
    ["grep foo a -e /x", ["/w/foo", "/w/a"]],
    ["git log a -n 5", ["/w/a", "/w"]],
    ["base64 -i /x", ["/x"]],
    ["base64 -i/x", ["/x"]],
    ["base64 -id", ["/w/d"]],
    ["ls -I /x", ["/x"]],
    ["ls -w 80 a", ["/w/80", "/w/a"]],
    ["df -h /", []],
    ["df a /x/y", ["/w/a", "/x/y"]],
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
    ["diff - a", ["/w/-", "/w/a"]],
    ["cat /dev/null", []],
    ["realpath --relative-to=/x a", ["/x", "/w/a"]],
    ["git diff HEAD~1 -- src ../y", ["/w/HEAD~1", "/w/src", "/y", "/w"]],
    ["git diff a /etc/passwd", ["/w/a", "/etc/passwd", "/w"]],
    ["git status", ["/w"]],
    ["wc -l < a", ["/w/a"]],
    ["cd src && tr a b < ../a", ["/w/a", "/w/src"]],
    ["[ -f a ]", ["/w/a"]],
    ["[ ! -d a ]", ["/w/a"]],
    ["awk -v n=1 -F: '{print $1}' a", ["/w/a"]],
    // After its program awk knows no flags: these are files that it opens.
    ["awk '{print $1}' -F /etc/passwd", ["/w/-F", "/etc/passwd"]],
    ["sed -n -e 1,5p -e '$p' a", ["/w/a"]],
    // One yq takes a filter for a file if such a file exists; gzip and unzip add extensions to missing names.
    ["yq e .a b.yml", ["/w/.a", "/w/b.yml"]],
    ["yq /etc/passwd", ["/etc/passwd"]],
    ["yq -o json ../x", ["/x"]],
    ["zcat a", ["/w/a", "/w/a.gz", "/w/a.z", "/w/a-z", "/w/a.Z"]],
    ["gzip -l ../b", ["/b", "/b.gz", "/b.z", "/b-z", "/b.Z"]],
    ["unzip -l a", ["/w/a", "/w/a.zip", "/w/a.ZIP"]],
    ["jq . -- --arg x /etc/passwd", ["/w/--arg", "/w/x", "/etc/passwd"]],
    ["tar -tzf a.tgz b", ["/w/a.tgz", "/w/b"]],
    ["fd x src", ["/w/src"]],
    ["fd x", ["/w"]],
    ["find src -name '*.ts' | xargs wc -l", ["/w/src"]],
    ["find src -exec ls -l {} +", ["/w/src"]],
    ["df -h /", []],
    ["for x in a b; do cat $x; done", ["/w/a", "/w/b"]],
    ["cat src/{a,b}.ts", ["/w/src/a.ts", "/w/src/b.ts"]],
    ["cd /w && git status", ["/w"]],
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
  ])("are those of %s", (command, paths) => {
    expect(verdict(command)).toEqual({ paths: expect.arrayContaining(paths) });
    expect(verdict(command)).toEqual({ paths: expect.toSatisfy((found: string[]) => found.length === paths.length) });
  });

  it("are resolved after cd from its real target", () => {
    const enter = (path: string) => (path === "/w/link" ? "/w/deep/er" : path);
    expect(verdict("cd link && cat ../x", enter)).toEqual({ paths: ["/w/deep/x", "/w/deep/er"] });
  });

  it.each<[command: string, paths: string[] | undefined]>([
    ["cd sub && git status", ["/w/sub"]],
    ["cd sub && git diff a", ["/w/sub", "/w/sub/a"]],
    ["cd sub; git log", ["/w", "/w/sub"]],
    ["git -C sub/deep log --oneline", ["/w", "/w/sub/deep"]],
    ["git --no-pager -C sub diff a /b", ["/w", "/w/sub", "/w/sub/a", "/b"]],
    ["git -C /w/sub --no-pager log", ["/w", "/w/sub"]],
    ["cd sub && git -C deep status", ["/w/sub", "/w/sub/deep"]],
    ["git -C . status", ["/w"]],
    ["cd other && git status", undefined],
    ["cd other/deep && git status", undefined],
    ["cd bare && git log", undefined],
    ["git -C other log", undefined],
    ["cd sub && git -C ../other log", undefined],
    ["cd link && git log", undefined],
    ["git -C link log", undefined],
    ["git -C .. log", undefined],
    ["git -C /elsewhere log", undefined],
    ["git -C .git log", undefined],
    ["git -C sub -C other log", undefined],
    ["git -C sub push", undefined],
    ["git -C sub -c core.pager=x log", undefined],
    ["git -C --no-pager log", undefined],
    ["git -C * log", undefined],
    ["git -C sub log -- *.ts", undefined],
    ["git -C sub diff ../../x", undefined],
    ["git -Csub log", undefined],
    ["git -C", undefined],
  ])("are checked for git in another folder, unless that is a repository of its own: %s", (command, paths) => {
    const own = new Set(["/w/.git", "/w/other/.git", "/w/bare/HEAD"]);
    const enter = (path: string) => (path === "/w/link" ? "/w/other" : path);
    const found = readOnlyVerdict(lineOf(command), { cwd: "/w", enter, exists: (path) => own.has(path) });
    expect(found).toEqual(paths ? { paths: expect.toSatisfy(sameAs(paths)) } : { reason: expect.any(String) });
    // Without a way to check, git in another folder does not count as read-only.
    if (!/^git -C \./.test(command)) expect(verdict(command)).toHaveProperty("reason");
  });

  it("include the folders of each command", () => {
    expect(foldersOfLine(lineOf("ls; cd a && ls && ls; ls"), { cwd: "/w" })).toEqual([
      ["/w"],
      ["/w"],
      ["/w/a"],
      ["/w/a"],
      ["/w/a", "/w"],
    ]);
  });

  it("skip unknown programs where these were allowed otherwise", () => {
    expect(pathsOfLine(lineOf("npm test && cat a"), { cwd: "/w" })).toEqual({ paths: ["/w/a"] });
    expect(pathsOfLine(lineOf("npm test && sort -o b a"), { cwd: "/w" })).toEqual({
      reason: expect.stringMatching(/^sort: -o/),
    });
    expect(pathsOfLine(lineOf("eval x"), { cwd: "/w" })).toEqual({
      reason: expect.stringContaining("changes the shell"),
    });
  });
});

/** Arguments after an allowed command; none that the table does not list may be allowed. */
it("an unknown flag is not allowed, whatever the program", () => {
  const programs = [...new Set(everydayCommands.map((command) => command.split(" ")[0] ?? ""))].filter(
    (program) => /^[a-z]/.test(program) && !["echo", "printf", "true", "cd", "for", "if", "time"].includes(program),
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

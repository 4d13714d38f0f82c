import type { Effect } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { type ClaimInput, claimOf, clash } from "./effect-claim.ts";

const byEffects = { concurrency: "by-effects" } as const;
const read = (path: string): ClaimInput => ({ effects: [{ kind: "read", path }], category: "readOnly", ...byEffects });
const write = (path: string): ClaimInput => ({
  effects: [{ kind: "write", path }],
  category: "destructive",
  ...byEffects,
});
const command = (text: string): Effect => ({ kind: "run", command: text, cwd: "/w" });
const run = (text: string): ClaimInput => ({ effects: [command(text)], category: "destructive", ...byEffects });
const apart = (text: string): ClaimInput => ({ ...run(text), concurrency: "beside-its-kind" });
const reach: ClaimInput = {
  effects: [{ kind: "reach", url: "https://example.com" }],
  category: "readOnly",
  ...byEffects,
};
const signal: ClaimInput = { effects: [], category: "signal", ...byEffects };
const barrier: ClaimInput = { effects: [], category: "readOnly", concurrency: "alone" };
const nothing: ClaimInput = { effects: [], category: "readOnly", ...byEffects };
const unknown: ClaimInput = { effects: [], category: "destructive", ...byEffects };
const paths = { real: (path: string) => path.replace(/^\/link(?=\/|$)/, "/w"), exists: () => false };

describe("two calls of one reply", () => {
  const rows: [name: string, a: ClaimInput, b: ClaimInput, waits: boolean][] = [
    ["a command that may write, and a read", run("make"), read("/w/a"), true],
    ["a redirect, and a read of its file", run("echo x > a"), read("/w/a"), true],
    ["a command that may write, and a search", run("npm run gen"), read("/w"), true],
    ["a command that may write, and a write", run("make"), write("/w/a"), true],
    ["two commands that may write", run("make"), run("make test"), true],
    ["a command that may write, and one that looks", run("make"), run("ls"), true],
    ["a command that may write, and one that looks at no file", run("make"), run("ps"), true],
    ["a command that may write, and a web page", run("git push"), reach, true],
    ["a command that may write, and a tool that looks at something unnamed", run("make"), nothing, true],
    ["two tools that look at something unnamed", nothing, nothing, false],
    ["a tool that changes what no effect names, and one that looks at it", barrier, nothing, true],
    ["a tool that changes what no effect names, and a read", barrier, read("/w/a"), true],
    ["two commands that are marked independent", apart("npm test"), apart("npm run lint"), false],
    ["a marked command and an unmarked one", apart("npm test"), run("make"), true],
    ["a marked command and a read", apart("npm test"), read("/w/a"), true],
    ["two commands that only look", run("git status"), run("sleep 1 && ls | wc -l"), false],
    ["a command that looks, and a write of what it looks at", run("cat a"), write("/w/a"), true],
    ["a command that looks, and the same file through a link", run("cat a"), write("/link/a"), true],
    ["a command that looks at a folder, and a write below it", run("sleep 1; ls src"), write("/w/src/a"), true],
    ["a command that looks at one file, and a write of another", run("cat a"), write("/w/b"), false],
    ["a command that reads names of no word, and a write", run("git status"), write("/w/b"), true],
    ["a command that looks, and a read", run("cat a"), read("/w/a"), false],
    ["an output option in a group of short ones", run("sort -uo a b"), read("/w/a"), true],
    ["an output option that is shortened", run("sort --outp=a b"), read("/w/a"), true],
    ["an output option of git that is shortened", run("git diff --outp=a"), read("/w/a"), true],
    ["an output file of uniq", run("uniq b a"), read("/w/a"), true],
    ["sed that edits in place, in a group", run("sed -ni p a"), read("/w/a"), true],
    ["find that deletes", run("find . -delete"), read("/w/a"), true],
    ["find that writes a list", run("find . -fprint a"), read("/w/a"), true],
    ["git that changes", run("git checkout x"), read("/w/a"), true],
    ["git log that writes a file", run("git log --output=a"), read("/w/a"), true],
    ["a background command", run("ls & rm a"), read("/w/a"), true],
    ["a command in a command", run("ls $(rm a)"), read("/w/a"), true],
    ["two reads of one file", read("/w/a"), read("/w/a"), false],
    ["two writes of one file", write("/w/a"), write("/w/a"), true],
    ["two writes of one file, one through a link", write("/w/a"), write("/link/a"), true],
    ["two writes of two files", write("/w/a"), write("/w/b"), false],
    ["two parts that make a git folder together", write("/w/a/HEAD"), write("/w/a/refs/x"), true],
    ["names that only begin alike", write("/w/a"), write("/w/ab"), false],
    ["a read and a write of one file", read("/w/a"), write("/w/a"), true],
    ["a search in a folder and a write below it", read("/w"), write("/w/a"), true],
    ["a read and a write of two files", read("/w/a"), write("/w/b"), false],
    ["two requests", reach, reach, false],
    ["a request and a write", reach, write("/w/a"), false],
    ["a question and a write", signal, write("/w/a"), true],
    ["a question and a read", signal, read("/w/a"), true],
    [
      "two questions",
      { ...signal, concurrency: "beside-its-kind" },
      { ...signal, concurrency: "beside-its-kind" },
      false,
    ],
    ["a question and a marked command", { ...signal, concurrency: "beside-its-kind" }, apart("rm a"), true],
    ["a tool that changes something unnamed, and a read", unknown, read("/w/a"), true],
  ];
  it.each(rows)("two calls of one reply: %s", (_name, a, b, waits) => {
    expect(clash(claimOf(a, paths), claimOf(b, paths))).toBe(waits);
    expect(clash(claimOf(b, paths), claimOf(a, paths))).toBe(waits);
  });
});

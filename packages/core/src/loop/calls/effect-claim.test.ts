import type { Effect } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { claimOf, clash } from "./effect-claim.ts";

const read = (path: string): Effect => ({ kind: "read", path });
const write = (path: string): Effect => ({ kind: "write", path });
const run = (command: string): Effect => ({ kind: "run", command, cwd: "/w" });
const reach: Effect = { kind: "reach", url: "https://example.com" };
const real = (path: string) => path.replace(/^\/link\//, "/w/");

describe("calls that clash", () => {
  const rows: [name: string, a: Effect[], b: Effect[], clashes: boolean][] = [
    ["two reads of one file", [read("/w/a")], [read("/w/a")], false],
    ["two writes of one file", [write("/w/a")], [write("/w/a")], true],
    ["two writes of one file, one through a link", [write("/w/a")], [write("/link/a")], true],
    ["two writes of two files", [write("/w/a")], [write("/w/b")], false],
    ["two parts that make a git folder together", [write("/w/a/HEAD")], [write("/w/a/refs/x")], true],
    ["names that only begin alike", [write("/w/a")], [write("/w/ab")], false],
    ["a read and a write of one file", [read("/w/a")], [write("/w/a")], true],
    ["a search in a folder and a write below it", [read("/w")], [write("/w/a")], true],
    ["a read and a write of two files", [read("/w/a")], [write("/w/b")], false],
    ["a command and a write", [run("make")], [write("/w/a")], true],
    ["two commands", [run("make")], [run("make test")], true],
    ["a command and a read", [run("make")], [read("/w/a")], false],
    ["two commands that only look", [run("git status")], [run("sleep 1 && ls | wc -l")], false],
    ["a command that looks and one that does not", [run("ls")], [run("make")], false],
    ["a command that looks and a write", [run("cat a")], [write("/w/a")], false],
    ["a redirect", [run("echo x > a")], [run("make")], true],
    ["something with a background", [run("ls & rm a")], [run("make")], true],
    ["find that deletes", [run("find . -delete")], [run("make")], true],
    ["git that changes", [run("git checkout x")], [run("make")], true],
    ["nothing at all", [], [run("make")], false],
    ["two requests", [reach], [reach], false],
  ];
  it.each(rows)("calls that clash: %s", (_name, a, b, clashes) => {
    expect(clash(claimOf(a, real), claimOf(b, real))).toBe(clashes);
    expect(clash(claimOf(b, real), claimOf(a, real))).toBe(clashes);
  });
});

import { describe, expect, it } from "vitest";
import { findInCommand } from "../../findings/find-in-command.ts";
import type { GitAliases } from "../../ports/repositories.ts";
import { readStrictLine } from "../../shell/strict-line.ts";

const settings: Readonly<Record<string, GitAliases>> = {
  "/w": {
    byName: { st: "status -sb", run: "!touch pwn", two: "run a", same: "same x", quoted: "log --format='%h  %s'" },
    corrects: false,
  },
  "/w/sub": { byName: { st: "push -f" }, corrects: false },
  "/w/old": { byName: {}, corrects: true },
};
/** The grammar parses like the strict reader. */
const grammar = {
  load: async () => undefined,
  read(text: string) {
    const line = readStrictLine(text);
    if ("outside" in line) return undefined;
    const commands = line.commands.map(({ program, args }) => ({
      words: [program, ...args.map(({ text }) => text)].map((text) => ({ text, literal: true })),
      assignments: [],
      redirects: [],
      piped: false,
      nested: false,
    }));
    return { commands };
  },
};

function found(command: string) {
  const place = { cwd: "/w", roots: ["/w"], aliases: (folder: string) => settings[folder] };
  const { views, problem } = findInCommand(command, place, grammar);
  return { views: views.map((words) => words.join(" ")), problem };
}

describe("an alias of git's", () => {
  it.each<[string, string[]]>([
    ["git st src", ["git st src", "git status -sb src"]],
    ["git ST", ["git ST", "git status -sb"]],
    ["git -C sub st", ["git -C sub st", "git -C sub push -f"]],
    ["git -C old -C ../sub st", ["git -C old -C ../sub st", "git -C old -C ../sub push -f"]],
    ["cd sub && git st", ["cd sub", "git st", "git push -f"]],
    ["git run b", ["git run b", "touch pwn b"]],
    ["git two", ["git two", "git run a", "touch pwn a"]],
    ["git -c alias.st='!x' st", ["git -c alias.st=!x st", "x"]],
    ["git -c alias.st=run st", ["git -c alias.st=run st", "git -c alias.st=run run", "touch pwn"]],
    ["git quoted", ["git quoted", "git log --format=%h %s"]],
    ["git status", ["git status"]],
    ["git lfs pull", ["git lfs pull"]],
  ])("is found: %s", (command, views) => {
    expect(found(command)).toEqual({ views, problem: undefined });
  });

  it.each([
    ["git same", "is nested too deeply"],
    ["git -C old stauts", "gives git a word that it may take for another command"],
    ["git -C gone st", "gives git a word that may be an alias"],
  ])("may not be known: %s", (command, problem) => {
    expect(found(command).problem).toBe(problem);
  });
});

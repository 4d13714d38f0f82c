import { describe, expect, it } from "vitest";
import { type ChangedFile, parseCommits } from "./commit.ts";

const id = (letter: string) => letter.repeat(40);
const head = (letter: string, subject: string, body = "") => `${id(letter)}\0${1700000000}\0${subject}\0${body}\0`;
const commit = (letter: string, subject: string, body: string, files: ChangedFile[]) => ({
  id: id(letter),
  time: 1700000000,
  subject,
  body,
  files,
});

describe("commits of git log", () => {
  it.each([
    ["nothing", "", []],
    [
      "one with a file",
      `${head("a", "Fix retry", "Why.\n")}\nM\0a.ts\0`,
      [commit("a", "Fix retry", "Why.", [{ path: "a.ts" }])],
    ],
    ["one without files", head("a", "Empty"), [commit("a", "Empty", "", [])]],
    [
      "several",
      `${head("a", "One")}\nM\0a.ts\0A\0b.ts\0\0${head("b", "Two")}\nM\0M\0\0${head("c", "Three")}`,
      [
        commit("a", "One", "", [{ path: "a.ts" }, { path: "b.ts" }]),
        commit("b", "Two", "", [{ path: "M" }]),
        commit("c", "Three", "", []),
      ],
    ],
    [
      "renames, copies and removals",
      `${head("a", "Move")}\nR095\0old.ts\0new.ts\0C100\0x.ts\0y.ts\0D\0gone.ts\0`,
      [
        commit("a", "Move", "", [
          { path: "new.ts", from: "old.ts" },
          { path: "y.ts" },
          { path: "gone.ts", isRemoved: true },
        ]),
      ],
    ],
    ["subjects that would steer a terminal", `${head("a", "\u001b[2JFix\tit")}`, [commit("a", "[2JFix it", "", [])]],
    ["a subject like an id", head("a", id("f")), [commit("a", id("f"), "", [])]],
    ["what it does not know", "fatal: bad revision", []],
  ])("reads %s", (_, output, commits) => {
    expect(parseCommits(output)).toEqual(commits);
  });
});

import { describe, expect, it } from "vitest";
import type { ChangedFile, Commit } from "./commit.ts";
import { CommitHistory } from "./commit-history.ts";

const commit = (subject: string, ...files: (string | ChangedFile)[]): Commit => ({
  id: subject,
  time: 0,
  subject,
  body: "",
  files: files.map((file) => (typeof file === "string" ? { path: file } : file)),
});
const found = (commits: Commit[], ...words: string[]) =>
  new CommitHistory(commits)
    .search(
      words.map((word) => ({ word, weight: 1 })),
      10,
    )
    .map(({ path }) => path);
const others = ["d", "e", "f", "g"].map((path) => commit("Other work", path));

describe("a history", () => {
  it.each<[string, Commit[], string[]]>([
    ["finds the files of a commit", [commit("Fix retry", "a")], ["a"]],
    [
      "counts small commits more",
      [commit("Retry", "b", "x", "y", "z"), commit("Retry", "a")],
      ["a", "b", "x", "y", "z"],
    ],
    ["counts several commits more", [commit("Retry", "b"), commit("Retry", "a"), commit("Retry it", "a")], ["a", "b"]],
    ["follows a rename", [commit("Move", { path: "new", from: "old" }), commit("Retry", "old")], ["new"]],
    [
      "follows two renames",
      [commit("M", { path: "c", from: "b" }), commit("M", { path: "b", from: "a" }), commit("Retry", "a")],
      ["c"],
    ],
    [
      "knows a new file in the place of a renamed one",
      [commit("Add", "old"), commit("Move", { path: "new", from: "old" }), commit("Retry", "old")],
      ["new"],
    ],
    ["forgets removed files", [commit("Remove", { path: "a", isRemoved: true }), commit("Retry", "a", "b")], ["b"]],
    ["knows files that came back", [commit("Retry", "a"), commit("Remove", { path: "a", isRemoved: true })], ["a"]],
    [
      "skips huge commits",
      [commit("Retry", ...Array.from({ length: 31 }, (_, n) => `f${n}`)), commit("Retry", "a")],
      ["a"],
    ],
    ["has nothing without commits", [], []],
  ])("%s", (_, commits, paths) => {
    expect(found(commits.length > 0 ? [...commits, ...others] : [], "retri")).toEqual(paths);
  });

  it("tells the subject with most of the words", () => {
    const history = new CommitHistory([
      commit("Retry", "a"),
      commit("Retry after timeout", "a"),
      commit("Tidy", "a"),
      ...others,
    ]);
    const words = ["retri", "timeout"].map((word) => ({ word, weight: 1 }));
    expect(history.subject("a", words)).toBe("Retry after timeout");
    expect(history.subject("a", [{ word: "absent", weight: 1 }])).toBeUndefined();
    expect(history.subject("absent", words)).toBeUndefined();
  });

  it("tells which files change together, more than once", () => {
    const history = new CommitHistory([
      commit("One", "a", "b"),
      commit("Two", "a", "b", "c"),
      commit("Three", "a"),
      commit("Four", "a", "c", ...Array.from({ length: 10 }, (_, n) => `f${n}`)),
    ]);
    expect(history.companions("a")).toEqual([{ path: "b", share: 2 / 6 }]);
    expect(history.companions("absent")).toEqual([]);
  });
});

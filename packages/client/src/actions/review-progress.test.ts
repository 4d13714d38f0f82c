import type { ReviewHunk } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { decideHunk, NO_PROGRESS } from "./review-progress.ts";

const hunks: ReviewHunk[] = ["1", "2", "3"].map((hunkId) => ({
  hunkId,
  path: "/w/a",
  change: "modify",
  line: 1,
  before: "",
  after: "x\n",
}));

describe("deciding a change of a review", () => {
  it("leads to the next open one, past the end to the first, and stays where none is open", () => {
    const first = decideHunk(NO_PROGRESS, hunks, { take: true });
    const third = decideHunk({ ...first, at: 2 }, hunks, { take: false, feedback: "no" });
    const second = decideHunk(third, hunks, { take: true, text: "y\n" });
    expect([first.at, third.at, second.at]).toEqual([1, 1, 1]);
    expect([...second.answers.values()]).toEqual([
      { hunkId: "1", take: true },
      { hunkId: "3", take: false, feedback: "no" },
      { hunkId: "2", take: true, text: "y\n" },
    ]);
  });
});

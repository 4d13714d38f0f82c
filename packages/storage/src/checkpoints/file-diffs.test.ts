import { chmodSync } from "node:fs";
import type { CheckpointSpan } from "@harness/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasGit, Workspace } from "../../test/workspace.ts";

describe.skipIf(!hasGit)("the diff of files over several turns", () => {
  let work: Workspace;
  beforeEach(() => {
    work = new Workspace();
  });
  afterEach(() => work.close());

  const diff = async (stretches: readonly CheckpointSpan[], page = { offset: 0, limit: 100 }) => {
    const answer = await work.checkpoints.diff(stretches, page);
    if ("problem" in answer) throw new Error(answer.problem);
    return answer;
  };
  const stretch = async (turn: () => void): Promise<CheckpointSpan> => {
    const before = await work.take();
    turn();
    return { before, after: await work.take() };
  };

  it("has each file once, from its first state to its last, without what the person changed before and after", async () => {
    work.write("both.txt", "one\ntwo\n");
    work.write("mine.txt", "mine\n");
    const first = await stretch(() => work.write("both.txt", "1\ntwo\n"));
    work.write("mine.txt", "mine, changed\n");
    const second = await stretch(() => {
      work.write("both.txt", "1\n2\n");
      work.write("made.txt", "new\n");
    });
    work.write("both.txt", "1\n2\nafter\n");
    expect(await diff([first, second])).toEqual({
      files: [
        { path: "both.txt", change: "modify", added: 2, removed: 2, hunks: "@@ -1,2 +1,2 @@\n-one\n-two\n+1\n+2" },
        { path: "made.txt", change: "create", added: 1, removed: 0, hunks: "@@ -0,0 +1,1 @@\n+new" },
      ],
      changedFiles: 2,
      added: 3,
      removed: 2,
    });
  });

  it("leaves out what a later turn changed back, and is limited to files that are named", async () => {
    work.write("a.txt", "a\n");
    work.write("b.txt", "b\n");
    const first = await stretch(() => {
      work.write("a.txt", "A\n");
      work.write("b.txt", "B\n");
    });
    const second = await stretch(() => work.write("a.txt", "a\n"));
    expect((await diff([first, second])).files.map(({ path }) => path)).toEqual(["b.txt"]);
    expect((await diff([{ ...first, paths: ["a.txt"] }])).files.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(await diff([])).toEqual({ files: [], changedFiles: 0, added: 0, removed: 0 });
  });

  it("says of a file without lines to show why there are none", async () => {
    work.write("run.sh", "echo\n");
    work.write("bin", Buffer.from([1, 0, 2]));
    work.write("gone.txt", "gone\n");
    const turn = await stretch(() => {
      chmodSync(work.path("run.sh"), 0o755);
      work.write("bin", Buffer.from([1, 0, 3]));
      work.remove("gone.txt");
    });
    expect((await diff([turn])).files).toEqual([
      { path: "bin", change: "modify", added: 0, removed: 0, hunks: "", note: "it is not text" },
      { path: "gone.txt", change: "delete", added: 0, removed: 1, hunks: "@@ -1,1 +0,0 @@\n-gone" },
      {
        path: "run.sh",
        change: "modify",
        added: 0,
        removed: 0,
        hunks: "",
        note: "its mode changed from 100644 to 100755",
      },
    ]);
  });

  it("comes in pages, which end early where the diffs are long, and counts all files", async () => {
    const turn = await stretch(() => {
      for (let n = 0; n < 12; n += 1)
        work.write(`f${String(n).padStart(2, "0")}.txt`, `${"x".repeat(30)}\n`.repeat(900));
    });
    const first = await diff([turn]);
    expect(first).toMatchObject({ nextOffset: first.files.length, changedFiles: 12, added: 10_800 });
    expect(first.files.length).toBeLessThan(12);
    const second = await diff([turn], { offset: first.files.length, limit: 100 });
    expect(second.nextOffset).toBeUndefined();
    expect([...first.files, ...second.files]).toHaveLength(12);
    expect((await diff([turn], { offset: 2, limit: 3 })).nextOffset).toBe(5);
  });

  it("is a sentence if the states are no longer kept", async () => {
    expect(await work.checkpoints.diff([{ before: "a", after: "b" }], { offset: 0, limit: 1 })).toMatchObject({
      problem: expect.stringContaining("The changes could not be determined."),
    });
  });
});

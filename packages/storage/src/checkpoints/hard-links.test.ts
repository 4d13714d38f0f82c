import { chmodSync, linkSync, lstatSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasGit, Workspace } from "../../test/workspace.ts";
import { CheckpointFolder } from "./checkpoint-folder.ts";
import { beginRevert } from "./unfinished-revert.ts";

const git = { command: "git", outside: [] };

describe.skipIf(!hasGit)("files with several names", () => {
  let work: Workspace;
  beforeEach(() => {
    work = new Workspace();
  });
  afterEach(() => work.close());

  const outside = () => join(work.base, "outside.txt");
  const namesOf = (path: string) => lstatSync(work.path(path)).nlink;
  /** Undoes what `turn` does. */
  const undo = async (turn: () => void) => {
    const before = await work.take();
    turn();
    return work.revert(before, await work.take());
  };

  it("are restored under all of them, in the workspace and outside, whatever their length", async () => {
    work.write("a.txt", "one\ntwo\nthree\n");
    linkSync(work.path("a.txt"), work.path("b.txt"));
    linkSync(work.path("a.txt"), outside());
    for (const text of ["1\n", "a much longer text\n".repeat(20), ""]) {
      await undo(() => writeFileSync(work.path("a.txt"), text));
      expect([work.read("a.txt"), work.read("b.txt"), namesOf("a.txt")]).toEqual([
        ...["one\ntwo\nthree\n", "one\ntwo\nthree\n"],
        3,
      ]);
    }
    expect(readdirSync(work.root).sort()).toEqual(["a.txt", "b.txt"]);
  });

  it("keep the changes of others that can be separated", async () => {
    work.write("a.txt", "1\n2\n3\n4\n5\n6\n7\n");
    linkSync(work.path("a.txt"), outside());
    const before = await work.take();
    writeFileSync(work.path("a.txt"), "one\n2\n3\n4\n5\n6\n7\n");
    const after = await work.take();
    writeFileSync(work.path("a.txt"), "one\n2\n3\n4\n5\n6\nseven\n");
    expect(await work.revert(before, after)).toEqual([{ path: "a.txt", outcome: "merged" }]);
    expect([work.read("a.txt"), namesOf("a.txt")]).toEqual(["1\n2\n3\n4\n5\n6\nseven\n", 2]);
  });

  it("get back the right to be run", async () => {
    work.write("run.sh", "echo one\n");
    chmodSync(work.path("run.sh"), 0o755);
    linkSync(work.path("run.sh"), outside());
    await undo(() => {
      writeFileSync(work.path("run.sh"), "echo two\n");
      chmodSync(work.path("run.sh"), 0o644);
    });
    expect([lstatSync(outside()).mode & 0o777, namesOf("run.sh")]).toEqual([0o755, 2]);
  });

  it("leave another file alone whose name was put in their place", async () => {
    work.write("a.txt", "mine\n");
    work.write("b.txt", "other\n");
    const files = await undo(() => {
      unlinkSync(work.path("b.txt"));
      linkSync(work.path("a.txt"), work.path("b.txt"));
    });
    expect(files).toEqual([{ path: "b.txt", outcome: "restored" }]);
    expect([work.read("a.txt"), work.read("b.txt"), namesOf("a.txt")]).toEqual(["mine\n", "other\n", 1]);
  });

  it("leave a file outside alone whose name was put in their place", async () => {
    work.write("b.txt", "other\n");
    writeFileSync(outside(), "theirs\n");
    const before = await work.take();
    work.seenLater(before, 60_000);
    unlinkSync(work.path("b.txt"));
    linkSync(outside(), work.path("b.txt"));
    await work.revert(before, await work.take());
    expect([work.read("b.txt"), namesOf("b.txt"), lstatSync(outside()).size]).toEqual(["other\n", 1, 7]);
  });

  it.each<[string, string, string]>([
    ["half written", "new wo old text\n", "new words\n"],
    ["written and not yet cut", "new words\nt\n", "new words\n"],
    ["not begun", "an old old text\n", "an old old text\n"],
    ["written by others since", "something else\n", "something else\n"],
  ])("are whole after a crash: %s", async (_, now, after) => {
    const old = now === "new words\nt\n" ? "an old text\n" : "an old old text\n";
    work.write("src/a.txt", old);
    await work.take();
    const [name = ""] = readdirSync(work.store).filter((each) => /^[0-9a-f]{64}$/.test(each));
    const { prefix } = beginRevert(join(work.store, name), new Set([work.path("src")]));
    const half = now.startsWith("new wo ") ? `new wo${old.slice(6)}` : now;
    writeFileSync(work.path("src/a.txt"), half);
    work.write(`src/${prefix}1`, "new words\n");
    work.write(`src/${prefix}1-old`, old);
    work.write(`src/${prefix}1-of`, JSON.stringify({ name: "a.txt" }));
    const limits = { leaveOut: [], maxFileBytes: 100, files: work.files };
    const options = { ...limits, folder: work.store, git, clock: work.clock };
    await new CheckpointFolder(work.root, options).clean();
    expect(work.read("src/a.txt")).toBe(after);
    expect(readdirSync(work.path("src"))).toEqual(["a.txt"]);
  });
});

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Checkpoints } from "@harness/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasGit, Workspace } from "../../test/workspace.ts";
import { openCheckpoints } from "../checkpoints/open-checkpoints.ts";
import { type ForkWorktree, makeForkWorktree } from "./fork-worktree.ts";

describe.runIf(hasGit)("a worktree of a fork", () => {
  let work: Workspace;
  beforeEach(() => {
    work = new Workspace();
  });
  afterEach(() => work.close());

  const kept = () => ({
    ...{ folder: work.store, leaveOut: [join(work.base, "config")], maxFileBytes: 100_000 },
    ...{ files: work.files, clock: work.clock },
  });
  const make = (title: string, checkpointId?: string, cwd = work.root) =>
    makeForkWorktree({ ...kept(), cwd, title, checkpointId });
  const ok = (answer: ForkWorktree | { problem: string }): ForkWorktree => {
    if ("problem" in answer) throw new Error(answer.problem);
    return answer;
  };
  const taken = async (checkpoints: Checkpoints): Promise<string> => {
    const answer = await checkpoints.take();
    if ("problem" in answer) throw new Error(answer.problem);
    return answer.checkpointId;
  };
  const commit = (files: Record<string, string>): void => {
    for (const [name, text] of Object.entries(files)) work.write(name, text);
    work.git("init", "-q", "-b", "main");
    work.git("add", "-A");
    work.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
  };
  const read = ({ path }: ForkWorktree, name: string) => readFileSync(join(path, name), "utf8");

  it("has the files as they are, committed or not, on a branch of its own", async () => {
    commit({ "a.txt": "one\n", ".gitignore": "*.log\n" });
    work.write("a.txt", "two\n");
    work.write("new.txt", "new\n");
    work.write("x.log", "ignored\n");
    const made = ok(await make("Repair the Parser, please! (fork)"));
    expect(made).toEqual({
      path: join(`${work.root}.worktrees`, "repair-the-parser-please-fork"),
      branch: "harness/repair-the-parser-please-fork",
    });
    expect([read(made, "a.txt"), read(made, "new.txt")]).toEqual(["two\n", "new\n"]);
    expect(existsSync(join(made.path, "x.log"))).toBe(false);
    expect(work.git("-C", made.path, "status", "--short").split("\n").sort()).toEqual(["", " M a.txt", "?? new.txt"]);
    expect(work.git("worktree", "list")).toContain("[harness/repair-the-parser-please-fork]");
    writeFileSync(join(made.path, "a.txt"), "three\n");
    expect(readFileSync(join(work.root, "a.txt"), "utf8")).toBe("two\n");
    expect(ok(await make("Repair the parser please (fork)")).branch).toBe("harness/repair-the-parser-please-fork-2");
  });

  it("has the files of an earlier moment", async () => {
    commit({ "a.txt": "one\n", "b.txt": "b\n" });
    const checkpoints = openCheckpoints({ ...kept(), roots: () => [work.root] });
    work.write("a.txt", "two\n");
    work.write("then.txt", "then\n");
    const then = await taken(checkpoints);
    work.write("a.txt", "three\n");
    work.remove("then.txt");
    work.write("later.txt", "later\n");
    const made = ok(await make("fork", then));
    expect([read(made, "a.txt"), read(made, "b.txt"), read(made, "then.txt")]).toEqual(["two\n", "b\n", "then\n"]);
    expect(existsSync(join(made.path, "later.txt"))).toBe(false);
  });

  it("of a session below the top of the repository has that folder as it was, and the others as they are", async () => {
    commit({ "top.txt": "one\n", "sub/a.txt": "one\n" });
    const cwd = join(work.root, "sub");
    const checkpoints = openCheckpoints({ ...kept(), roots: () => [cwd] });
    work.write("sub/a.txt", "two\n");
    const then = await taken(checkpoints);
    work.write("sub/a.txt", "three\n");
    work.write("sub/later.txt", "later\n");
    work.write("top.txt", "now\n");
    const made = ok(await make("fork", then, cwd));
    expect(made.path).toBe(join(`${work.root}.worktrees`, "fork", "sub"));
    expect([read(made, "a.txt"), read(made, "../top.txt")]).toEqual(["two\n", "now\n"]);
    expect(existsSync(join(made.path, "later.txt"))).toBe(false);
    expect(work.git("-C", made.path, "status", "--short").trim().split("\n")).toEqual(["M a.txt", " M ../top.txt"]);
  });

  it("of a fork is made beside that, and one of a name without letters has a name", async () => {
    commit({ "a.txt": "one\n" });
    const first = ok(await make("日本"));
    expect(first.branch).toBe("harness/fork");
    expect(ok(await make("second", undefined, first.path)).path).toBe(join(`${work.root}.worktrees`, "second"));
  });

  it("is refused in words, and leaves nothing", async () => {
    work.write("a.txt", "one\n");
    expect(await make("fork")).toEqual({ problem: `No worktree was made. ${work.root} is not in a git repository.` });
    work.git("init", "-q", "-b", "main");
    const unborn = await make("fork");
    expect(unborn).toEqual({ problem: expect.stringMatching(/^No worktree was made\. .*HEAD/) });
    expect(existsSync(`${work.root}.worktrees`)).toBe(false);
    expect(work.git("branch", "--list").trim()).toBe("");
    commit({ "a.txt": "two\n" });
    const gone = await make("fork", `${"a".repeat(12)}-${"b".repeat(40)}`);
    expect(gone).toEqual({ problem: "No worktree was made. The files from that time are no longer stored." });
    expect(work.git("branch", "--list").trim()).toBe("* main");
  });
});

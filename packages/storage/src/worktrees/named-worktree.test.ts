import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasGit, Workspace } from "../../test/workspace.ts";
import { namedWorktree } from "./fork-worktree.ts";

describe.runIf(hasGit)("a worktree of a name", () => {
  let work: Workspace;
  beforeEach(() => {
    work = new Workspace();
    work.write("a.txt", "one\n");
    work.write("sub/b.txt", "b\n");
    work.git("init", "-q", "-b", "main");
    work.git("add", "-A");
    work.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
  });
  afterEach(() => work.close());

  const named = (name: string, cwd = work.root) =>
    namedWorktree({
      ...{ folder: work.store, leaveOut: [join(work.base, "config")], maxFileBytes: 100_000 },
      ...{ files: work.files, clock: work.clock, cwd, name },
    });
  const place = () => `${work.root}.worktrees`;

  it("is made once, with the files as they are, and found again from it and from the repository", async () => {
    work.write("a.txt", "two\n");
    const made = await named("topic.1");
    const path = join(place(), "topic.1");
    expect(made).toEqual({ path, branch: "harness/topic.1", isNew: true });
    expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("two\n");
    work.write("a.txt", "three\n");
    expect(await named("topic.1")).toEqual({ path, branch: "harness/topic.1", isNew: false });
    expect(await named("topic.1", path)).toMatchObject({ path, isNew: false });
    expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("two\n");
    work.git("-C", path, "checkout", "-q", "-b", "other");
    expect(await named("topic.1", join(work.root, "sub"))).toEqual({
      path: join(path, "sub"),
      branch: "other",
      isNew: false,
    });
  });

  it.each(["", "-x", "..", "a/b", "../up", "a b", "a..b", "a.lock", "a.", "x".repeat(41)])(
    "refuses the name %j, with those that fit",
    async (name) => {
      expect(await named(name)).toMatchObject({ problem: expect.stringContaining("letters, digits, dots and dashes") });
    },
  );

  it("refuses a folder that is no worktree of the repository, and a folder outside any", async () => {
    mkdirSync(join(place(), "taken"), { recursive: true });
    expect(await named("taken")).toMatchObject({ problem: expect.stringContaining("is no worktree of") });
    expect(await named("x", work.base)).toMatchObject({ problem: expect.stringContaining("not in a git repository") });
  });
});

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NewWorktree, WorktreeRef, Worktrees } from "@harness/core";
import { numRuns } from "@harness/testkit";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasGit, Workspace } from "../../test/workspace.ts";
import { openWorktrees, worktreeRemoval } from "./open-worktrees.ts";

const never = new AbortController().signal;

describe.runIf(hasGit)("a worktree of an agent", () => {
  let work: Workspace;
  let place: string;
  let worktrees: Worktrees;

  beforeEach(() => {
    work = new Workspace();
    place = join(work.base, "config", "conversations", "s1", "worktrees");
    worktrees = openWorktrees({
      cwd: work.root,
      place,
      folder: work.store,
      leaveOut: [join(work.base, "config")],
      files: work.files,
      maxFileBytes: 100_000,
      clock: work.clock,
    });
  });
  afterEach(() => work.close());

  function commit(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) work.write(name, text);
    work.git("init", "-q", "-b", "main");
    work.git("add", "-A");
    work.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
  }

  async function made(
    worktreeId = "a1",
  ): Promise<NewWorktree & { read(name: string): string; write(name: string, text: string): void }> {
    const answer = await worktrees.make(worktreeId, never);
    if ("problem" in answer) throw new Error(answer.problem);
    const at = (name: string) => join(answer.path, name);
    return {
      ...answer,
      read: (name) => readFileSync(at(name), "utf8"),
      write: (name, text) => {
        mkdirSync(join(at(name), ".."), { recursive: true });
        writeFileSync(at(name), text);
      },
    };
  }
  /** Applies the worktree's current state. */
  const applyNow = async (ref: WorktreeRef) => {
    const looked = ok(await worktrees.changes(ref));
    return await worktrees.apply({ ...ref, tree: looked.tree });
  };
  const ok = <T extends object>(answer: T | { problem: string }): T => {
    if ("problem" in answer) throw new Error(String(answer.problem));
    return answer;
  };

  it("has the files as they are: changed, new and deleted ones, links and large ones, but none that are ignored", async () => {
    commit({
      "a.txt": "one\n",
      "b/c.txt": "two\n",
      "gone.txt": "x",
      ".gitignore": "node_modules/\n",
      "run.sh": "#!/bin/sh\n",
    });
    work.write("a.txt", "one, changed\n");
    work.write("new/file.txt", "new\n");
    work.write("node_modules/m.js", "m");
    work.write("big.bin", "x".repeat(200_000));
    work.write(".env", "KEY=1");
    chmodSync(work.path("run.sh"), 0o755);
    symlinkSync("a.txt", work.path("link"));
    rmSync(work.path("gone.txt"));
    const tree = await made();
    expect(tree.path).toBe(join(place, "a1"));
    expect([tree.read("a.txt"), tree.read("b/c.txt"), tree.read("new/file.txt"), tree.read("link")]).toEqual([
      "one, changed\n",
      "two\n",
      "new\n",
      "one, changed\n",
    ]);
    expect(tree.read("big.bin")).toHaveLength(200_000);
    for (const name of ["gone.txt", "node_modules", ".env"]) expect(existsSync(join(tree.path, name))).toBe(false);
    expect(
      work
        .git("-C", tree.path, "status", "--porcelain", "--", "a.txt", "gone.txt", "run.sh", "new/file.txt")
        .trim()
        .split("\n")
        .map((line) => line.trim()),
    ).toEqual(["M a.txt", "D gone.txt", "M run.sh", "?? new/file.txt"]);
    expect(work.git("-C", tree.path, "branch", "--show-current").trim()).toBe("harness/a1");
    expect(ok(await worktrees.changes({ worktreeId: "a1", base: tree.base }))).toMatchObject({
      files: [],
      added: 0,
      removed: 0,
    });
  });

  it("is applied to files that were changed meanwhile, by a three-way merge, and removed with its branch", async () => {
    commit({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n", "old/x.txt": "x\n" });
    const tree = await made();
    tree.write("a.txt", "one\n2\n3\n4\n5\n6\n7\n8\n");
    tree.write("new.txt", "made\n");
    rmSync(join(tree.path, "old"), { recursive: true });
    work.write("a.txt", "1\n2\n3\n4\n5\n6\n7\neight\n");
    const ref = { worktreeId: "a1", base: tree.base };
    const changes = ok(await worktrees.changes(ref));
    expect(changes.files.map(({ path, change }) => `${change} ${path}`)).toEqual([
      "modify a.txt",
      "create new.txt",
      "delete old/x.txt",
    ]);
    expect(changes).toMatchObject({ added: 2, removed: 2 });
    const { files } = ok(await worktrees.diff(ref, { offset: 0, limit: 10 }));
    expect(files[0]?.hunks).toContain("+one");
    const applied = ok(await applyNow(ref));
    expect(applied.isApplied).toBe(true);
    expect(applied.files.map(({ path, outcome }) => `${outcome} ${path}`)).toEqual([
      "merged a.txt",
      "restored new.txt",
      "deleted old/x.txt",
    ]);
    expect(work.read("a.txt")).toBe("one\n2\n3\n4\n5\n6\n7\neight\n");
    expect([work.has("new.txt"), work.has("old")]).toEqual([true, false]);
    expect(await worktrees.remove("a1")).toBeUndefined();
    expect(existsSync(tree.path)).toBe(false);
    expect(work.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(work.git("branch", "--list").trim()).toBe("* main");
  });

  it("changes nothing where one file conflicts, and the file says why", async () => {
    commit({ "a.txt": "1\n", "b.txt": "1\n", "c.txt": "1\n" });
    const tree = await made();
    for (const name of ["a.txt", "b.txt", "d.txt"]) tree.write(name, "theirs\n");
    rmSync(join(tree.path, "c.txt"));
    work.write("b.txt", "ours\n");
    work.write("c.txt", "ours\n");
    work.write("d.txt", "ours\n");
    const { isApplied, files } = ok(await applyNow({ worktreeId: "a1", base: tree.base }));
    expect(isApplied).toBe(false);
    expect(files).toEqual([
      { path: "b.txt", outcome: "kept", why: "the same lines were changed in the workspace in the meantime" },
      { path: "c.txt", outcome: "kept", why: "it was changed in the workspace in the meantime" },
      { path: "d.txt", outcome: "kept", why: "another file of this name was created in the workspace in the meantime" },
    ]);
    expect(["a.txt", "b.txt", "c.txt", "d.txt"].map((name) => work.read(name))).toEqual([
      "1\n",
      "ours\n",
      "ours\n",
      "ours\n",
    ]);
  });

  it("takes back what it wrote when a file then cannot be written", async () => {
    commit({ "a.txt": "1\n", "sub/b.txt": "1\n" });
    const tree = await made();
    tree.write("a.txt", "2\n");
    tree.write("new/deep.txt", "2\n");
    writeFileSync(work.path("new"), "a file in the way");
    const { isApplied, files } = ok(await applyNow({ worktreeId: "a1", base: tree.base }));
    expect(isApplied).toBe(false);
    expect(files.map(({ path }) => path)).toEqual(["new/deep.txt"]);
    expect(work.read("a.txt")).toBe("1\n");
  });

  it("runs no hook and no filter of the repository", async () => {
    commit({ "a.txt": "1\n", ".gitattributes": "*.txt filter=evil\n" });
    const trace = join(work.base, "trace");
    const hook = `#!/bin/sh\necho hook >> '${trace}'\n`;
    for (const name of ["post-checkout", "reference-transaction", "post-index-change"]) {
      work.write(`.git/hooks/${name}`, hook);
      chmodSync(work.path(`.git/hooks/${name}`), 0o755);
    }
    for (const key of ["clean", "smudge"]) work.git("config", `filter.evil.${key}`, `echo filter >> '${trace}'; cat`);
    work.git("config", "core.fsmonitor", `echo monitor >> '${trace}'`);
    rmSync(trace, { force: true });
    const tree = await made();
    tree.write("a.txt", "2\n");
    const ref = { worktreeId: "a1", base: tree.base };
    expect(ok(await worktrees.changes(ref)).files).toHaveLength(1);
    expect(ok(await applyNow(ref)).isApplied).toBe(true);
    expect(await worktrees.remove("a1")).toBeUndefined();
    expect(existsSync(trace)).toBe(false);
  });

  it("has the files of a repository in the repository, without its git", async () => {
    commit({ "a.txt": "1\n" });
    work.write("inner/lib.txt", "lib\n");
    work.git("-C", work.path("inner"), "init", "-q");
    const tree = await made();
    expect(tree.read("inner/lib.txt")).toBe("lib\n");
    expect(existsSync(join(tree.path, "inner/.git"))).toBe(false);
    tree.write("inner/lib.txt", "changed\n");
    expect(ok(await applyNow({ worktreeId: "a1", base: tree.base })).isApplied).toBe(true);
    expect(work.read("inner/lib.txt")).toBe("changed\n");
    expect(work.has("inner/.git")).toBe(true);
  });

  it("stands for the session's folder where that is a part of the repository; other files are named in full", async () => {
    commit({ "app/a.txt": "1\n", "lib.txt": "1\n" });
    worktrees = openWorktrees({
      cwd: work.path("app"),
      place,
      folder: work.store,
      leaveOut: [],
      files: work.files,
      maxFileBytes: 100_000,
      clock: work.clock,
    });
    const tree = await made();
    expect(tree.path).toBe(join(place, "a1", "app"));
    tree.write("a.txt", "2\n");
    tree.write("../lib.txt", "2\n");
    const ref = { worktreeId: "a1", base: tree.base };
    expect(ok(await worktrees.changes(ref)).files.map(({ path }) => path)).toEqual(["a.txt", work.path("lib.txt")]);
    expect(ok(await applyNow(ref)).isApplied).toBe(true);
    expect([work.read("app/a.txt"), work.read("lib.txt")]).toEqual(["2\n", "2\n"]);
  });

  it("is refused in words outside a repository, and in one without a commit, and leaves nothing behind then", async () => {
    work.write("a.txt", "1\n");
    const outside = { problem: "The worktree could not be created. The workspace is not a git repository." };
    expect(await worktrees.make("a1", never)).toEqual(outside);
    work.git("init", "-q");
    expect(await worktrees.make("a1", never)).toMatchObject({
      problem: expect.stringMatching(/^The worktree could not be created\. git worktree failed: /),
    });
    expect(existsSync(join(place, "a1"))).toBe(false);
    expect(await worktrees.changes({ worktreeId: "a1", base: "0" })).toMatchObject({
      problem: expect.stringContaining("Its worktree is gone."),
    });
  });

  it("goes when no fact speaks of it, and others stay", async () => {
    commit({ "a.txt": "1\n" });
    const tree = await made("a1");
    await made("a2");
    expect(await worktrees.keepOnly(["a1"])).toBeUndefined();
    expect([existsSync(tree.path), existsSync(join(place, "a2"))]).toEqual([true, false]);
    expect(work.git("branch", "--list", "harness/*").trim()).toBe("+ harness/a1");
  });

  it("goes with its session, also where its repository is gone", async () => {
    commit({ "a.txt": "1\n" });
    await made("a1");
    await made("a2");
    const failed = (error: unknown) => {
      throw error;
    };
    const removal = worktreeRemoval(place, failed);
    // The session is deleted first.
    rmSync(place, { recursive: true });
    await removal();
    expect(work.git("worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(work.git("branch", "--list").trim()).toBe("* main");
    await made("a3");
    rmSync(work.root, { recursive: true });
    await worktreeRemoval(place, failed)();
    expect(existsSync(join(place, "a3"))).toBe(false);
  });

  it("is applied as it was looked at, and in the paths that were named then, whatever changes in it meanwhile", async () => {
    const names = ["a.txt", "b/c.txt", "d.txt", ".husky/x", "e/f/g.txt"];
    commit(Object.fromEntries(names.slice(0, 3).map((name) => [name, `${name}\n`])));
    const change = fc.record({ name: fc.constantFrom(...names), how: fc.constantFrom("write", "remove") });
    let count = 0;
    const run = async (before: { name: string; how: string }[], after: { name: string; how: string }[]) => {
      count += 1;
      const tree = await made(`t${count}`);
      const alter = (changes: typeof before) => {
        for (const [at, { name, how }] of changes.entries()) {
          if (how === "write") tree.write(name, `${count} ${at} ${changes === after}\n`);
          else rmSync(join(tree.path, name), { force: true });
        }
      };
      alter(before);
      const ref = { worktreeId: `t${count}`, base: tree.base };
      const { tree: state, paths } = ok(await worktrees.changes(ref));
      const text = (root: string) =>
        new Map(
          names.map((name) => [
            name,
            existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : undefined,
          ]),
        );
      const [had, wanted] = [text(work.root), text(tree.path)];
      alter(after);
      const { isApplied } = ok(await worktrees.apply({ ...ref, tree: state }));
      const has = text(work.root);
      for (const name of names) {
        if (isApplied) expect(has.get(name)).toBe(wanted.get(name));
        if (has.get(name) !== had.get(name)) expect(paths).toContain(work.path(name));
      }
      ok((await worktrees.remove(`t${count}`)) ?? {});
    };
    const changes = fc.array(change, { maxLength: 6 });
    await fc.assert(fc.asyncProperty(changes, changes, run), { numRuns: numRuns(25) });
  });

  it("names all paths that it would write, also where lists for people are cut", async () => {
    commit({ "a.txt": "1\n" });
    const tree = await made();
    for (let n = 0; n < 520; n += 1) tree.write(`n${n}.txt`, "n\n");
    const { files, moreFiles, paths } = ok(await worktrees.changes({ worktreeId: "a1", base: tree.base }));
    expect([files.length, moreFiles, paths.length]).toEqual([500, 20, 520]);
  });
});

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canRefuseWrites, hasGit, refuseWrites, Workspace } from "../../test/workspace.ts";

describe.skipIf(!hasGit)("checkpoints", () => {
  let work: Workspace;
  beforeEach(() => {
    work = new Workspace();
  });
  afterEach(() => work.close());

  const changes = async (before: string, after: string) => {
    const answer = await work.checkpoints.compare(before, after);
    if ("problem" in answer) throw new Error(answer.problem);
    return answer;
  };

  it("gives equal files equal ids, and lists changes, including untracked files", async () => {
    work.write("a.txt", "one\ntwo\n");
    work.write("src/b.txt", "b\n");
    const before = await work.take();
    expect(await work.take()).toBe(before);
    work.write("a.txt", "one\n2\n3\n");
    work.write("new/c.txt", "c\n");
    work.write("new/d", Buffer.from([0, 10, 0]));
    work.remove("src");
    const after = await work.take();
    expect(after).not.toBe(before);
    expect(await changes(before, after)).toEqual({
      files: [
        { path: "a.txt", change: "modify", added: 2, removed: 1 },
        { path: "new/c.txt", change: "create", added: 1, removed: 0 },
        { path: "new/d", change: "create", added: 0, removed: 0, binary: true },
        { path: "src/b.txt", change: "delete", added: 0, removed: 1 },
      ],
      moreFiles: 0,
      added: 3,
      removed: 2,
    });
  });

  it.skipIf(!canRefuseWrites())(
    "tells a file that the system refused to write from one that was left alone",
    async () => {
      work.write("locked/a.txt", "before\n");
      work.write("b.txt", "before\n");
      const before = await work.take();
      work.write("locked/a.txt", "after\n");
      work.write("b.txt", "after\n");
      const after = await work.take();
      const refused = refuseWrites(work.path("locked/a.txt"));
      try {
        expect(await work.revert(before, after)).toEqual([
          { path: "b.txt", outcome: "restored" },
          { path: "locked/a.txt", outcome: "failed", why: expect.stringMatching(/, (?:EPERM|EACCES)$/) },
        ]);
      } finally {
        refused?.allow();
      }
      expect(work.read("locked/a.txt")).toBe("after\n");
      const again = await work.revert(before, after, { includes: (path) => path === "locked/a.txt" });
      expect(again).toEqual([{ path: "locked/a.txt", outcome: "restored" }]);
    },
  );

  it("undoes and redoes a change without a repository", async () => {
    work.write("a.txt", "one\n");
    work.write("gone/deep/b.txt", "b\n");
    const before = await work.take();
    const was = work.snapshot();
    work.write("a.txt", "two\n");
    work.remove("gone");
    work.write("new/deep/c.txt", "c\n");
    const after = await work.take();
    const became = work.snapshot();
    expect(await work.revert(before, after)).toEqual([
      { path: "a.txt", outcome: "restored" },
      { path: "gone/deep/b.txt", outcome: "restored" },
      { path: "new/deep/c.txt", outcome: "deleted" },
    ]);
    expect(work.snapshot()).toEqual(was);
    await work.revert(after, before);
    expect(work.snapshot()).toEqual(became);
    expect(await work.revert(after, before)).toEqual([]);
  });

  it("keeps a person's changes elsewhere in the file, and leaves a file with a conflict alone", async () => {
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`);
    const text = (...edits: [number, string][]) => {
      const edited = [...lines];
      for (const [n, line] of edits) edited[n] = line;
      return `${edited.join("\n")}\n`;
    };
    for (const name of ["apart.txt", "clash.txt", "other.txt"]) work.write(name, text());
    const before = await work.take();
    work.write("apart.txt", text([2, "agent"]));
    work.write("clash.txt", text([2, "agent"]));
    work.write("made.txt", "agent\n");
    const after = await work.take();
    work.write("apart.txt", text([2, "agent"], [15, "person"]));
    work.write("clash.txt", text([2, "person"]));
    work.write("made.txt", "agent\nperson\n");
    work.write("other.txt", "person\n");
    expect(await work.revert(before, after)).toEqual([
      { path: "apart.txt", outcome: "merged" },
      { path: "clash.txt", outcome: "kept", why: expect.stringContaining("cannot be separated") },
      { path: "made.txt", outcome: "kept", why: "it was changed after it was created" },
    ]);
    expect(work.read("apart.txt")).toBe(text([15, "person"]));
    expect(work.read("clash.txt")).toBe(text([2, "person"]));
    expect(work.read("made.txt")).toBe("agent\nperson\n");
    expect(work.read("other.txt")).toBe("person\n");
  });

  it("leaves a person's deletions and new files alone", async () => {
    work.write("a.txt", "a\n");
    work.write("b.txt", "b\n");
    const before = await work.take();
    work.write("a.txt", "agent\n");
    work.remove("b.txt");
    const after = await work.take();
    work.remove("a.txt");
    work.write("b.txt", "person\n");
    expect(await work.revert(before, after)).toEqual([
      { path: "a.txt", outcome: "kept", why: "it was deleted after that" },
      { path: "b.txt", outcome: "kept", why: "it was created again after that" },
    ]);
    expect(work.snapshot()).toEqual({ "b.txt": "644 person\n" });
  });

  it("leaves out the given paths", async () => {
    work.write("a.txt", "a\n");
    work.write("clash.txt", "a\n");
    const before = await work.take();
    work.write("a.txt", "b\n");
    work.write("clash.txt", "b\n");
    const after = await work.take();
    expect(await work.revert(before, after, { includes: (path) => path !== "clash.txt" })).toEqual([
      { path: "a.txt", outcome: "restored" },
    ]);
    expect(work.read("clash.txt")).toBe("b\n");
  });

  it("restores bytes, line ends, permissions and links exactly", async () => {
    const odd = {
      "crlf.txt": Buffer.from("a\r\nb\r\n"),
      "latin1.txt": Buffer.from("caf\xe9\n", "latin1"),
      "binary.bin": Buffer.from([0, 1, 2, 255, 13, 10, 0]),
      "empty.txt": Buffer.alloc(0),
      "no-end.txt": Buffer.from("no end"),
      "name with \n and 'quotes' ünï.txt": Buffer.from("x"),
    };
    work.write(".gitattributes", "* text=auto eol=crlf ident\n*.bin filter=evil diff=evil\n");
    for (const [name, bytes] of Object.entries(odd)) work.write(name, bytes);
    work.write("run.sh", "#!/bin/sh\n# $Id$\n");
    chmodSync(work.path("run.sh"), 0o755);
    work.write("private.txt", "x");
    chmodSync(work.path("private.txt"), 0o600);
    symlinkSync("crlf.txt", work.path("link"));
    symlinkSync("/nowhere/at all", work.path("dangling"));
    const before = await work.take();
    const was = work.snapshot();
    for (const name of Object.keys(odd)) work.write(name, "spoilt");
    chmodSync(work.path("run.sh"), 0o644);
    work.write("private.txt", "spoilt");
    rmSync(work.path("link"));
    symlinkSync("binary.bin", work.path("link"));
    rmSync(work.path("dangling"));
    mkdirSync(work.path("dangling"));
    work.write("dangling/now a folder.txt", "x");
    const after = await work.take();
    const files = await work.revert(before, after);
    expect(files.filter(({ outcome }) => outcome === "kept")).toEqual([]);
    expect(work.snapshot()).toEqual(was);
  });

  it.skipIf(process.getuid?.() !== 0)("keeps the owner of a file when harness runs as root", async () => {
    work.write("a.txt", "a\n");
    chownSync(work.path("a.txt"), 1234, 1235);
    const before = await work.take();
    work.write("a.txt", "agent\n");
    expect(await work.revert(before, await work.take())).toEqual([{ path: "a.txt", outcome: "restored" }]);
    const { uid, gid } = statSync(work.path("a.txt"));
    expect([uid, gid]).toEqual([1234, 1235]);
  });

  it("sees a change that keeps size and times", async () => {
    work.write("a.txt", "aaaa");
    const { atime, mtime } = statSync(work.path("a.txt"));
    const before = await work.take();
    work.write("a.txt", "bbbb");
    utimesSync(work.path("a.txt"), atime, mtime);
    const after = await work.take();
    await work.revert(before, after);
    expect(work.read("a.txt")).toBe("aaaa");
  });

  it("leaves out ignored files, secrets, pipes and large files, and reports it", async () => {
    work.write(".gitignore", "dist/\n");
    work.write("dist/out.js", "built");
    work.write("node_modules/x/index.js", "x");
    work.write(".env", "KEY=1");
    work.write("big.bin", Buffer.alloc(200_000));
    execFileSync("mkfifo", [work.path("pipe")]);
    const taken = await work.checkpoints.take();
    if ("problem" in taken) throw new Error(taken.problem);
    expect(taken.leftOut).toBe("1 file over 100 kB (big.bin), 1 secret file (.env)");
    work.write(".env", "KEY=2");
    work.write("dist/out.js", "rebuilt");
    const same = await work.take();
    expect(same).toBe(taken.checkpointId);
    work.write("big.bin", Buffer.alloc(200_001));
    work.write("small.txt", "x");
    const after = await work.take();
    expect(await work.revert(same, after)).toEqual([
      { path: "big.bin", outcome: "kept", why: "it was too large or not readable, so it was not stored" },
      { path: "small.txt", outcome: "deleted" },
    ]);
    expect(statSync(work.path("big.bin")).size).toBe(200_001);
  });

  it("sees the files of a folder that replaced a file that was too large", async () => {
    work.git("init", "-q");
    work.write("data", Buffer.alloc(200_000));
    const before = await work.take();
    work.remove("data");
    work.write("data/a.txt", "a\n");
    work.write("data/deep/b.txt", "b\n");
    const after = await work.take();
    expect((await work.revert(before, after)).map(({ path, outcome }) => [path, outcome])).toEqual([
      ["data", "kept"],
      ["data/a.txt", "deleted"],
      ["data/deep/b.txt", "deleted"],
    ]);
  });

  it("restores the bytes of both names of one file", async () => {
    work.write("a.txt", "one\n");
    linkSync(work.path("a.txt"), work.path("b.txt"));
    const before = await work.take();
    work.write("a.txt", "two\n");
    const files = await work.revert(before, await work.take());
    expect(files.map(({ outcome }) => outcome)).toEqual(["restored", "restored"]);
    expect([work.read("a.txt"), work.read("b.txt")]).toEqual(["one\n", "one\n"]);
  });

  it("reverts nothing and gives a reason when the folder is gone, was moved or is no longer included", async () => {
    const other = join(work.base, "other");
    mkdirSync(other);
    work.write("a.txt", "a\n");
    const both = work.open({ roots: () => [work.root, other] });
    const alone = await work.take();
    const before = await both.take();
    if ("problem" in before) throw new Error(before.problem);
    expect(await both.compare(alone, before.checkpointId)).toMatchObject({ files: [] });
    work.write("a.txt", "agent\n");
    writeFileSync(join(other, "o.txt"), "agent\n");
    const after = await both.take();
    if ("problem" in before || "problem" in after) throw new Error(JSON.stringify(before));
    const ids = [before.checkpointId, after.checkpointId] as const;
    const elsewhere = work.open({ roots: () => [join(work.base, "config")] });
    expect(await elsewhere.revert(...ids)).toEqual({ problem: expect.stringContaining(`stored for ${work.root}`) });
    expect(await work.open({ roots: () => [work.base] }).compare(...ids)).toMatchObject({
      files: [{ path: work.path("a.txt") }, { path: join(other, "o.txt") }],
    });
    expect(await work.checkpoints.revert(...ids)).toEqual({
      files: [
        { path: "a.txt", outcome: "restored" },
        { path: other, outcome: "kept", why: "this folder is not part of the workspace now" },
      ],
    });
    work.remove(".");
    expect(await work.checkpoints.revert(...ids)).toEqual({
      problem: expect.stringContaining(`${work.root} is gone`),
    });
  });

  it("does not depend on the default storage format of git", async () => {
    const newer = join(work.base, "git-3");
    writeFileSync(newer, `#!/bin/sh\nGIT_DEFAULT_HASH=\${GIT_DEFAULT_HASH:-sha256} exec git "$@"\n`, { mode: 0o755 });
    const checkpoints = work.open({ git: newer });
    const before = await checkpoints.take();
    work.write("a.txt", "agent\n");
    const after = await checkpoints.take();
    if ("problem" in before || "problem" in after) throw new Error(JSON.stringify(before));
    expect(await checkpoints.revert(before.checkpointId, after.checkpointId)).toEqual({
      files: [{ path: "a.txt", outcome: "deleted" }],
    });
  });

  it("never touches the person's repository, index or unfinished commit", async () => {
    work.git("init", "-q");
    work.write("a.txt", "one\n");
    work.git("add", ".");
    work.git("commit", "-qm", "first");
    work.write("a.txt", "staged\n");
    work.git("add", "a.txt");
    work.write("a.txt", "unstaged\n");
    work.write("untracked.txt", "mine\n");
    work.write(".git/info/exclude", "private-notes.txt\n");
    work.write("private-notes.txt", "notes\n");
    const index = readFileSync(work.path(".git/index"));
    const before = await work.take();
    work.write("a.txt", "agent\n");
    work.remove("untracked.txt");
    work.write("private-notes.txt", "agent\n");
    const after = await work.take();
    const files = await work.revert(before, after);
    expect(files.map(({ path }) => path)).toEqual(["a.txt", "untracked.txt"]);
    expect(work.read("a.txt")).toBe("unstaged\n");
    expect(work.read("untracked.txt")).toBe("mine\n");
    expect(readFileSync(work.path(".git/index")).equals(index)).toBe(true);
    expect(work.git("show", ":a.txt")).toBe("staged\n");
  });

  it("obeys the .gitignore of the repository that contains the folder", async () => {
    work.write(".gitignore", "/packages/*/dist\n*.log\n");
    mkdirSync(work.path(".git"));
    work.write("packages/x/a.ts", "a\n");
    work.write("packages/x/dist/a.js", "built\n");
    work.write("packages/x/x.log", "log\n");
    work.write("elsewhere.txt", "not looked at\n");
    const checkpoints = work.open({ roots: () => [work.path("packages/x")] });
    const before = await checkpoints.take();
    work.write("packages/x/a.ts", "b\n");
    work.write("packages/x/dist/a.js", "rebuilt\n");
    work.write("packages/x/x.log", "more\n");
    work.write("elsewhere.txt", "changed\n");
    const after = await checkpoints.take();
    if ("problem" in before || "problem" in after) throw new Error(JSON.stringify(before));
    expect(await checkpoints.compare(before.checkpointId, after.checkpointId)).toMatchObject({
      files: [{ path: "a.ts", change: "modify" }],
    });
    await checkpoints.revert(before.checkpointId, after.checkpointId);
    expect(work.read("packages/x/a.ts")).toBe("a\n");
    expect(work.read("elsewhere.txt")).toBe("changed\n");
  });

  it("stores the files of a folder that its repository ignores", async () => {
    work.write(".gitignore", "play/\n");
    mkdirSync(work.path(".git"));
    work.write("play/a.txt", "a\n");
    const checkpoints = work.open({ roots: () => [work.path("play")] });
    const before = await checkpoints.take();
    work.remove("play/a.txt");
    const after = await checkpoints.take();
    if ("problem" in before || "problem" in after) throw new Error(JSON.stringify(before));
    await checkpoints.revert(before.checkpointId, after.checkpointId);
    expect(work.read("play/a.txt")).toBe("a\n");
  });

  it("stores the files of nested repositories without their .git", async () => {
    work.write("clone/.gitignore", "out/\n");
    work.write("clone/a.txt", "a\n");
    work.write("clone/out/b.txt", "b\n");
    work.write("clone/inner/c.txt", "c\n");
    execFileSync("git", ["init", "-q", work.path("clone")]);
    execFileSync("git", ["init", "-q", work.path("clone/inner")]);
    const head = readFileSync(work.path("clone/.git/HEAD"), "utf8");
    const before = await work.take();
    work.write("clone/a.txt", "agent\n");
    work.write("clone/inner/c.txt", "agent\n");
    work.write("clone/new.txt", "agent\n");
    work.write("clone/out/b.txt", "agent\n");
    work.write("clone/.git/HEAD", "ref: refs/heads/other\n");
    const after = await work.take();
    expect((await work.revert(before, after)).map(({ path }) => path)).toEqual([
      "clone/a.txt",
      "clone/inner/c.txt",
      "clone/new.txt",
    ]);
    expect(work.read("clone/a.txt")).toBe("a\n");
    expect(work.read("clone/inner/c.txt")).toBe("c\n");
    expect(work.read("clone/.git/HEAD")).not.toBe(head);
  });

  it("stores additional folders beside the workspace, and names their files by absolute paths", async () => {
    const other = join(work.base, "other");
    mkdirSync(other);
    writeFileSync(join(other, "o.txt"), "o\n");
    work.write("a.txt", "a\n");
    const checkpoints = work.open({ roots: () => [work.root, other, work.path("inside")] });
    const before = await checkpoints.take();
    writeFileSync(join(other, "o.txt"), "agent\n");
    const after = await checkpoints.take();
    if ("problem" in before || "problem" in after) throw new Error(JSON.stringify(before));
    const back = await checkpoints.revert(before.checkpointId, after.checkpointId);
    expect(back).toEqual({ files: [{ path: join(other, "o.txt"), outcome: "restored" }] });
    expect(readFileSync(join(other, "o.txt"), "utf8")).toBe("o\n");
  });

  it("stores the files of a folder that contains the store, without those of harness", async () => {
    const home = work.path(".home");
    const checkpoints = work.open({ folder: join(home, "checkpoints"), leaveOut: [home] });
    work.write("a.txt", "a\n");
    work.write(".home/settings.json", "{}");
    const before = await checkpoints.take();
    work.remove("a.txt");
    work.write(".home/settings.json", "{ }");
    const after = await checkpoints.take();
    if ("problem" in before || "problem" in after) throw new Error(JSON.stringify(before));
    const back = await checkpoints.revert(before.checkpointId, after.checkpointId);
    expect(back).toEqual({ files: [{ path: "a.txt", outcome: "restored" }] });
    expect(work.read(".home/settings.json")).toBe("{ }");
  });

  it("restores a file whose place a folder without files has taken, and not one with a file or a link", async () => {
    const names = ["empty", "nested", "with a file", "with a link"];
    for (const name of names) work.write(name, `${name}\n`);
    work.write("elsewhere/below/x", "x");
    const before = await work.take();
    for (const name of names) work.remove(name);
    mkdirSync(work.path("empty"));
    mkdirSync(work.path("nested/one/two"), { recursive: true });
    mkdirSync(work.path("with a file/below"), { recursive: true });
    mkdirSync(work.path("with a link"));
    const after = await work.take();
    work.write("with a file/below/since", "kept");
    symlinkSync(work.path("elsewhere"), work.path("with a link/link"));
    const files = await work.revert(before, after);
    expect(files).toEqual([
      { path: "empty", outcome: "restored" },
      { path: "nested", outcome: "restored" },
      { path: "with a file", outcome: "kept", why: "there is a folder now" },
      { path: "with a link", outcome: "kept", why: "there is a folder now" },
    ]);
    expect([work.read("empty"), work.read("nested")]).toEqual(["empty\n", "nested\n"]);
    expect(work.read("with a file/below/since")).toBe("kept");
    expect(work.read("with a link/link/below/x")).toBe("x");
  });

  it("does not write through a link that replaced a folder", async () => {
    const outside = join(work.base, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "a.txt"), "agent\n");
    work.write("src/a.txt", "a\n");
    work.write("src/b.txt", "b\n");
    const before = await work.take();
    work.write("src/a.txt", "agent\n");
    work.remove("src/b.txt");
    const after = await work.take();
    work.remove("src");
    symlinkSync(outside, work.path("src"));
    const files = await work.revert(before, after);
    expect(files.map(({ outcome }) => outcome)).toEqual(["kept", "kept"]);
    expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("agent\n");
  });

  it("does not run a git program from among the files", async () => {
    const ran = join(work.base, "ran");
    work.write("node_modules/.bin/git", `#!/bin/sh\ntouch '${ran}'\nexit 1\n`);
    chmodSync(work.path("node_modules/.bin/git"), 0o755);
    symlinkSync(work.path("node_modules/.bin"), join(work.base, "bin"));
    const { PATH } = process.env;
    process.env.PATH = [work.path("node_modules/.bin"), join(work.base, "bin"), PATH].join(delimiter);
    try {
      await work.take();
    } finally {
      process.env.PATH = PATH;
    }
    expect(existsSync(ran)).toBe(false);
  });

  it("reports that git is missing, and that a checkpoint is no longer stored", async () => {
    const without = work.open({ git: join(work.base, "no-git") });
    expect(await without.take()).toEqual({ problem: expect.stringContaining("Install git") });
    const here = await work.take();
    const never = here.replace(/[0-9a-f]{40}$/, "1".repeat(40));
    expect(await work.checkpoints.revert(never, here)).toEqual({
      problem: expect.stringContaining("no longer stored"),
    });
  });

  it("continues after a crash that left a lock of git, a broken index or an unfinished store", async () => {
    work.write("a.txt", "a\n");
    const before = await work.take();
    const [name = ""] = Object.keys(work.snapshot(work.store)).filter((each) => /^[0-9a-f]{64}\/$/.test(each));
    const gitDir = join(work.store, name);
    writeFileSync(join(gitDir, "index.lock"), "");
    expect(await work.take()).toBe(before);
    writeFileSync(join(gitDir, "index"), "not an index");
    expect(await work.take()).toBe(before);
    rmSync(join(gitDir, "harness-workspace"));
    expect(await work.take()).toBe(before);
  });
});

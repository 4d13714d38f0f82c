import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasGit, Workspace } from "../../test/workspace.ts";

const wasThere = { outcome: "kept", why: "it was there before, but it was ignored or has a name that is not stored" };

describe.skipIf(!hasGit)("undoing a turn that made hidden files of a person visible", () => {
  let work: Workspace;
  beforeEach(() => {
    work = new Workspace();
  });
  afterEach(() => work.close());

  /** Undoes what `turn` does, a minute after everything else. */
  const undo = async (turn: () => void) => {
    const before = await work.take();
    work.seenLater(before, 60_000);
    turn();
    return work.revert(before, await work.take());
  };

  it("does not remove files that were ignored before", async () => {
    work.write(".gitignore", "local.txt\n");
    work.write("local.txt", "mine\n");
    work.write("hidden/.gitignore", "*\n");
    work.write("hidden/notes.txt", "mine too\n");
    const files = await undo(() => {
      work.write(".gitignore", "");
      work.remove("hidden/.gitignore");
    });
    expect(files).toEqual([
      { path: ".gitignore", outcome: "restored" },
      { path: "hidden/notes.txt", ...wasThere },
      { path: "local.txt", ...wasThere },
    ]);
    expect([work.read("local.txt"), work.read("hidden/notes.txt")]).toEqual(["mine\n", "mine too\n"]);
  });

  it("does not remove files of a folder that the turn made a repository", async () => {
    work.write("node_modules/mine/index.js", "patched by hand\n");
    expect(await undo(() => work.git("init", "-q"))).toEqual([{ path: "node_modules/mine/index.js", ...wasThere }]);
  });

  it("does not remove files that the turn moved from a secret or ignored name to a plain one", async () => {
    work.write(".env", "KEY=1\n");
    expect(await undo(() => renameSync(work.path(".env"), work.path("env.txt")))).toEqual([
      { path: "env.txt", ...wasThere },
    ]);
    expect(work.read("env.txt")).toBe("KEY=1\n");
  });

  it("does not remove ignored files that the turn replaced under a new inode, in any folder", async () => {
    work.write(".gitignore", "conf.json\n*.cache\n");
    work.write("conf.json", "mine\n");
    work.write("deep/.gitignore", "/out/\n");
    work.write("deep/out/x.txt", "mine\n");
    const before = await work.take();
    work.write(".gitignore", "*.cache\n");
    work.write("deep/.gitignore", "");
    for (const name of ["conf.json", "deep/out/x.txt", "plain.txt"]) {
      work.write("half", "agent's\n");
      renameSync(work.path("half"), work.path(name));
    }
    const after = await work.take();
    expect(await work.revert(before, after)).toEqual([
      { path: ".gitignore", outcome: "restored" },
      { path: "conf.json", ...wasThere },
      { path: "deep/.gitignore", outcome: "restored" },
      { path: "deep/out/x.txt", ...wasThere },
      { path: "plain.txt", outcome: "deleted" },
    ]);
    expect(work.read("conf.json")).toBe("agent's\n");
  });

  it("does not remove files that only the .gitignore of a parent repository ignored", async () => {
    execFileSync("git", ["init", "-q", work.base]);
    writeFileSync(join(work.base, ".gitignore"), "*.local\n");
    work.write("x.local", "mine\n");
    const before = await work.take();
    work.write(".gitignore", "!*.local\n");
    work.remove("x.local");
    work.write("x.local", "agent's\n");
    expect(await work.revert(before, await work.take())).toEqual([
      { path: ".gitignore", outcome: "deleted" },
      { path: "x.local", ...wasThere },
    ]);
  });

  it("leaves the locks and swap files of editors alone, whose owner may have unsaved text in them", async () => {
    work.write("a.txt", "one\n");
    symlinkSync("ann@host.123:1", work.path(".#a.txt"));
    work.write(".b.txt.swp", "unsaved\n");
    const files = await undo(() => {
      work.write("a.txt", "two\n");
      work.remove(".#a.txt");
      for (const name of [
        ".a.txt.swp",
        "#a.txt#",
        ".a.txt.kate-swp",
        ".a.txt.swo",
        ".~lock.table.ods#",
        "~$table.xlsx",
        "a.txt___jb_tmp___",
      ])
        work.write(name, "mine\n");
    });
    expect(files).toEqual([{ path: "a.txt", outcome: "restored" }]);
    expect(work.read(".a.txt.swp")).toBe("mine\n");
  });

  it("lets a redo remove the files that the undo restored", async () => {
    work.write("built.js", "built\n");
    const before = await work.take();
    work.write(".gitignore", "built.js\n");
    work.remove("built.js");
    const after = await work.take();
    await work.revert(before, after);
    expect(Object.keys(work.snapshot())).toEqual(["built.js"]);
    const undone = await work.take();
    const redone = await work.checkpoints.revert(after, undone, { isRedo: true });
    expect(redone).toMatchObject({ files: [{ path: ".gitignore" }, { path: "built.js", outcome: "deleted" }] });
    expect(Object.keys(work.snapshot())).toEqual([".gitignore"]);
  });

  it("keeps folders that were empty before", async () => {
    mkdirSync(work.path("empty/deep"), { recursive: true });
    const before = await work.take();
    // The folder is older than the state by more than clocks differ, and the file is not.
    work.seenLater(before, 2_100);
    await sleep(150);
    work.write("empty/deep/new/made.txt", "agent's\n");
    expect(await work.revert(before, await work.take())).toEqual([
      { path: "empty/deep/new/made.txt", outcome: "deleted" },
    ]);
    expect(Object.keys(work.snapshot())).toEqual(["empty/", "empty/deep/"]);
  });

  it("restores the old names of renamed files that are stored", async () => {
    work.write("a.txt", "a\n");
    work.write("folder/b.txt", "b\n");
    const files = await undo(() => {
      renameSync(work.path("a.txt"), work.path("moved.txt"));
      renameSync(work.path("folder"), work.path("other"));
    });
    expect(files.map(({ outcome }) => outcome).sort()).toEqual(["deleted", "deleted", "restored", "restored"]);
    expect(Object.keys(work.snapshot())).toEqual(["a.txt", "folder/", "folder/b.txt"]);
  });
});

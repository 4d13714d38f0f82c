import { renameSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasGit, Workspace } from "./workspace.fixture.ts";

const wasThere = { outcome: "kept", why: "it was there before, ignored or under a name that is not kept" };

describe.skipIf(!hasGit)("files of a person that a turn brings in sight", () => {
  let work: Workspace;
  beforeEach(() => {
    work = new Workspace();
  });
  afterEach(() => work.close());

  /** Takes back what `turn` does, a minute after all else. */
  const undo = async (turn: () => void) => {
    const before = await work.take();
    work.seenLater(before, 60_000);
    turn();
    return work.takeBack(before, await work.take());
  };

  it("are not removed when they were ignored until then", async () => {
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

  it("are not removed when the folder becomes a repository, and was empty for us before", async () => {
    work.write("node_modules/mine/index.js", "patched by hand\n");
    expect(await undo(() => work.git("init", "-q"))).toEqual([{ path: "node_modules/mine/index.js", ...wasThere }]);
  });

  it("are not removed when they are moved from a secret or ignored name to a plain one", async () => {
    work.write(".env", "KEY=1\n");
    expect(await undo(() => renameSync(work.path(".env"), work.path("env.txt")))).toEqual([
      { path: "env.txt", ...wasThere },
    ]);
    expect(work.read("env.txt")).toBe("KEY=1\n");
  });

  it("go back to their old names when those are kept", async () => {
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

import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasGit, Workspace } from "../../../test/workspace.ts";

describe.skipIf(!hasGit)("a state with unsaved text", () => {
  let work: Workspace;
  beforeEach(() => {
    work = new Workspace();
  });
  afterEach(() => work.close());

  const takeWith = async (unsaved: Record<string, string>) => {
    const contents = new Map(Object.entries(unsaved).map(([name, text]) => [work.path(name), Buffer.from(text)]));
    const taken = await work.checkpoints.take(undefined, contents);
    if ("problem" in taken) throw new Error(taken.problem);
    return taken.checkpointId;
  };

  it("has it instead of the text on disk, and a revert brings it back with the file's mode", async () => {
    work.write("sub/run.sh", "disk\n");
    work.write("other.txt", "other\n");
    const disk = await work.take();
    const unsaved = await takeWith({ "sub/run.sh": "typed\n" });
    expect(unsaved).not.toBe(disk);
    // The store's own state follows the disk.
    expect(await work.take()).toBe(disk);
    work.write("sub/run.sh", "agent\n");
    expect(await work.revert(unsaved, await work.take())).toEqual([{ path: "sub/run.sh", outcome: "restored" }]);
    expect([work.read("sub/run.sh"), work.read("other.txt")]).toEqual(["typed\n", "other\n"]);
  });

  it("leaves out what is not stored: ignored, secret, new and foreign files", async () => {
    work.write(".gitignore", "local.txt\n");
    for (const name of ["local.txt", ".env", "a.txt"]) work.write(name, "disk\n");
    const disk = await work.take();
    const names = ["local.txt", ".env", "new.txt", "../outside.txt"];
    expect(await takeWith(Object.fromEntries(names.map((name) => [name, "typed\n"])))).toBe(disk);
  });

  it("leaves nothing else in the store", async () => {
    work.write("a.txt", "disk\n");
    await takeWith({ "a.txt": "typed\n" });
    expect(readdirSync(work.store, { recursive: true }).filter((name) => String(name).includes("unsaved"))).toEqual([]);
  });
});

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasGit, Workspace } from "../../test/workspace.ts";
import { CheckpointFolder } from "./checkpoint-folder.ts";
import { pruneCheckpoints, RETENTION_DAYS } from "./prune-checkpoints.ts";
import { beginRevert, SCRATCH, UNFINISHED } from "./unfinished-revert.ts";

const moduleUrl = new URL("open-checkpoints.ts", import.meta.url).href;
const git = { command: "git", outside: [] };
const DAY_MS = 24 * 3600 * 1000;

describe.skipIf(!hasGit)("a checkpoint store shared by several processes", () => {
  let work: Workspace;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    work = new Workspace();
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    work.close();
  });

  /** A process that stores the files again and again; its ids come back one by one. */
  function otherProcess(times: number) {
    const options = {
      folder: work.store,
      leaveOut: [join(work.base, "config")],
      maxFileBytes: 100_000,
    };
    const script = `
      import { setTimeout as sleep } from "node:timers/promises";
      import { openCheckpoints } from ${JSON.stringify(moduleUrl)};
      import { walkedFiles as files } from "@harness/tools";
      const clock = { now: () => Date.now(), monotonicMs: () => performance.now(), sleep: (ms) => sleep(ms) };
      const options = ${JSON.stringify(options)};
      const kept = openCheckpoints({ ...options, roots: () => [${JSON.stringify(work.root)}], files, clock });
      for (let n = 0; n < ${times}; n += 1) console.log(JSON.stringify(await kept.take()));`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { child, next: async () => JSON.parse(String((await lines.next()).value)) as object };
  }

  it("gives all processes the same id when they store the same files at once", async () => {
    for (let n = 0; n < 50; n += 1) work.write(`src/${n}.txt`, `${n}\n`);
    const others = [otherProcess(5), otherProcess(5)];
    const mine = await Promise.all(Array.from({ length: 5 }, () => work.take()));
    const theirs = await Promise.all(others.flatMap(({ next }) => Array.from({ length: 5 }, next)));
    expect(new Set(mine).size).toBe(1);
    expect(theirs).toEqual(theirs.map(() => ({ checkpointId: mine[0] })));
  });

  it("can be used after a process was killed while it wrote", async () => {
    for (let n = 0; n < 300; n += 1) work.write(`src/${n}.txt`, `${n}\n`.repeat(200));
    const other = otherProcess(1_000);
    await other.next();
    other.child.kill("SIGKILL");
    await once(other.child, "close");
    const before = await work.take();
    work.remove("src");
    const after = await work.take();
    expect(await work.revert(before, after)).toHaveLength(300);
    expect(work.read("src/299.txt")).toBe("299\n".repeat(200));
  });

  it("removes what a killed undo left in the store and among the files", async () => {
    work.write("src/a.txt", "a\n");
    await work.take();
    const [name = ""] = readdirSync(work.store).filter((each) => /^[0-9a-f]{64}$/.test(each));
    const gitDir = join(work.store, name);
    const { prefix } = beginRevert(gitDir, new Set([work.path("src"), work.path("gone")]));
    work.write(`src/${prefix}1`, "half");
    work.write(`src/${UNFINISHED}of-another`, "not ours");
    mkdirSync(join(gitDir, `${SCRATCH}x`));
    const limits = { leaveOut: [], maxFileBytes: 100, files: work.files };
    const options = { ...limits, folder: work.store, git, clock: work.clock };
    await new CheckpointFolder(work.root, options).clean();
    expect(readdirSync(work.path("src")).sort()).toEqual([`${UNFINISHED}of-another`, "a.txt"]);
    expect(readdirSync(gitDir).filter((each) => each.startsWith(SCRATCH) || each.endsWith(".json"))).toEqual([]);
  });

  it("deletes checkpoints past their retention, and keeps the others complete", async () => {
    work.write("a.txt", "old\n");
    const old = await work.take();
    work.write("a.txt", "recent\n");
    const recent = await work.take();
    work.write("a.txt", "new\n");
    const now = await work.take();
    const [name = ""] = readdirSync(work.store).filter((each) => /^[0-9a-f]{64}$/.test(each));
    const age = (path: string, days: number) => {
      const at = new Date(Date.now() - days * DAY_MS);
      utimesSync(path, at, at);
    };
    for (const file of readdirSync(join(work.store, name, "objects"), { recursive: true, withFileTypes: true })) {
      if (file.isFile()) age(join(file.parentPath, file.name), RETENTION_DAYS + 2);
    }
    age(join(work.store, name, "refs", "kept", old.slice(-40)), RETENTION_DAYS + 1);
    await pruneCheckpoints(work.store, git, Date.now());
    expect(await work.checkpoints.compare(old, now)).toMatchObject({
      problem: expect.stringContaining("no longer stored"),
    });
    expect(await work.revert(recent, now)).toEqual([{ path: "a.txt", outcome: "restored" }]);
    expect(work.read("a.txt")).toBe("recent\n");
    await work.take();
  });

  it("is removed after its folder was unused for the retention time", async () => {
    work.write("a.txt", "a\n");
    await work.take();
    const stores = () => readdirSync(work.store).filter((each) => /^[0-9a-f]{64}$/.test(each));
    await pruneCheckpoints(work.store, git, Date.now() + DAY_MS);
    expect(stores()).toHaveLength(1);
    await pruneCheckpoints(work.store, git, Date.now() + (RETENTION_DAYS + 2) * DAY_MS);
    expect(stores()).toHaveLength(0);
    expect(await work.take()).toContain("-");
  });

  it("is accessible to this user only", async () => {
    work.write("a.txt", "a\n");
    await work.take();
    writeFileSync(join(work.store, "check"), "");
    const [name = ""] = readdirSync(work.store).filter((each) => /^[0-9a-f]{64}$/.test(each));
    expect(statSync(work.store).mode & 0o077).toBe(0);
    expect(statSync(join(work.store, name)).mode & 0o077).toBe(0);
  });
});

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  type BigIntStats,
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileWriter } from "./file-writer.ts";
import { type FileEdit, WriteConflictError } from "./prepared-change.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-write-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

const statOf = (path: string) => statSync(path, { bigint: true });
const write = (...changes: FileEdit[]) => new FileWriter().write(changes);
const existing = (name: string, content: string): FileEdit & { before: BigIntStats } => {
  const realPath = join(folder, name);
  writeFileSync(realPath, content);
  return { realPath, before: statOf(realPath) };
};
/** Every path below the folder, with the content of files. */
const tree = () =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .toSorted()
      .map((name) => [name, statSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), "utf8") : "/"]),
  );

describe("a write of a file with several names", () => {
  it("shows under all of them, and leaves nothing else", async () => {
    const change = existing("a", "one");
    linkSync(join(folder, "a"), join(folder, "b"));
    const before = statOf(change.realPath);
    expect(await write({ ...change, before, bytes: Buffer.from("two and more") })).toHaveProperty("stamps");
    expect(tree()).toEqual({ a: "two and more", b: "two and more" });
    const again = statOf(change.realPath);
    expect(again.ino).toBe(before.ino);
    expect(await write({ ...change, before: again, bytes: Buffer.from("3") })).toHaveProperty("stamps");
    expect(tree()).toEqual({ a: "3", b: "3" });
  });

  it("is taken back under all of them when another file fails", async () => {
    const change = existing("a", "one");
    linkSync(join(folder, "a"), join(folder, "b"));
    const other = existing("c", "old");
    rmSync(other.realPath);
    const before = statOf(change.realPath);
    expect(
      await write({ ...change, before, bytes: Buffer.from("two") }, { ...other, bytes: Buffer.from("x") }),
    ).toMatchObject({
      failed: 1,
      left: [],
    });
    expect(tree()).toEqual({ a: "one", b: "one" });
  });

  it("keeps the old content when the disk takes only a part of the new", () => {
    const path = join(folder, "x");
    writeFileSync(path, "old".repeat(1_000));
    linkSync(path, join(folder, "y"));
    const { status } = partial(path);
    expect(status).toBe(0);
    expect(tree()).toEqual({ x: "old".repeat(1_000), y: "old".repeat(1_000) });
  });

  it("is removed under its own name only", async () => {
    const change = existing("a", "one");
    linkSync(join(folder, "a"), join(folder, "b"));
    await write({ realPath: change.realPath, before: statOf(change.realPath) });
    expect(tree()).toEqual({ b: "one" });
  });
});

/** Writes a megabyte where less than that may be written. */
function partial(path: string) {
  const program = `
    const { FileWriter } = await import(${JSON.stringify(new URL("./file-writer.ts", import.meta.url).href)});
    const { statSync } = await import("node:fs");
    process.on("SIGXFSZ", () => undefined);
    const realPath = ${JSON.stringify(path)};
    const before = statSync(realPath, { bigint: true });
    const { error } = await new FileWriter().write([{ realPath, bytes: Buffer.alloc(1_000_000), before }]);
    process.exit(error.code === "EFBIG" ? 0 : 1);`;
  const command = 'ulimit -f 64; exec "$0" --input-type=module -e "$1"';
  return spawnSync("sh", ["-c", command, process.execPath, program]);
}

describe("a write of one file", () => {
  it("keeps the old content when the disk takes only a part of the new", () => {
    const path = join(folder, "x");
    writeFileSync(path, "old");
    const program = `
      const { FileWriter } = await import(${JSON.stringify(new URL("./file-writer.ts", import.meta.url).href)});
      const { statSync } = await import("node:fs");
      process.on("SIGXFSZ", () => undefined);
      const realPath = ${JSON.stringify(path)};
      const before = statSync(realPath, { bigint: true });
      const { error } = await new FileWriter().write([{ realPath, bytes: Buffer.alloc(1_000_000), before }]);
      console.log(error.code);`;
    // Blocks of 512 or 1024 bytes: in either case far less than is written.
    const command = 'ulimit -f 64; exec "$0" --input-type=module -e "$1"';
    const { stdout } = spawnSync("sh", ["-c", command, process.execPath, program], { encoding: "utf8" });
    expect(stdout.trim()).toBe("EFBIG");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["x"]);
  });

  it("leaves the complete old or new content when the process is killed", async () => {
    const path = join(folder, "x");
    writeFileSync(path, "");
    const program = `
      const { FileWriter } = await import(${JSON.stringify(new URL("./file-writer.ts", import.meta.url).href)});
      const { statSync } = await import("node:fs");
      const realPath = ${JSON.stringify(path)};
      const writer = new FileWriter();
      for (let i = 0; ; i++) {
        const before = statSync(realPath, { bigint: true });
        await writer.write([{ realPath, bytes: Buffer.alloc(3_000_000, "ab"[i % 2]), before }]);
        console.log(i);
      }`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.on("data", (text) => {
      if (String(text).includes("5")) child.kill("SIGKILL");
    });
    await once(child, "exit");
    const bytes = readFileSync(path);
    expect(bytes.length).toBe(3_000_000);
    expect(bytes.every((byte) => byte === bytes[0])).toBe(true);
  });

  it("does not overwrite a change that was made meanwhile", async () => {
    const path = join(folder, "x");
    writeFileSync(path, "old");
    const before = statOf(path);
    writeFileSync(`${path}2`, "theirs");
    renameSync(`${path}2`, path);
    for (const change of [{ before }, {}]) {
      expect(await write({ realPath: path, bytes: Buffer.from("ours"), ...change })).toMatchObject({
        error: expect.any(WriteConflictError),
      });
    }
    expect(readFileSync(path, "utf8")).toBe("theirs");
    expect(readdirSync(folder)).toEqual(["x"]);
  });

  it("does not write through a folder that has become a link", async () => {
    mkdirSync(join(folder, "real"));
    symlinkSync("real", join(folder, "sub"));
    expect(await write({ realPath: join(folder, "sub", "x"), bytes: Buffer.from("x") })).toMatchObject({
      error: expect.any(WriteConflictError),
    });
    expect(readdirSync(join(folder, "real"))).toEqual([]);
  });

  it("keeps the owner if it is allowed to", async () => {
    const path = join(folder, "x");
    writeFileSync(path, "old");
    if (process.getuid?.() === 0) chownSync(path, 1234, 1234);
    const before = statOf(path);
    const written = await write({ realPath: path, bytes: Buffer.from("new"), before });
    const now = statOf(path);
    expect([now.uid, now.gid, now.mode]).toEqual([before.uid, before.gid, before.mode]);
    expect(written).toMatchObject({ stamps: [{ sizeBytes: 3 }] });
  });

  it("removes only files that a crash left long ago", async () => {
    const names = [".harness-0123456789ab.tmp", ".harness-ba9876543210.tmp", ".harness-notes.tmp"];
    for (const name of names) writeFileSync(join(folder, name), "");
    for (const name of [names[0], names[2]]) utimesSync(join(folder, String(name)), 1, 1);
    await write({ realPath: join(folder, "x"), bytes: Buffer.from("x") });
    expect(names.map((name) => existsSync(join(folder, name)))).toEqual([false, true, true]);
  });
});

describe("a write of several files", () => {
  it("changes, makes and removes files together, and leaves nothing else behind", async () => {
    const [a, b] = [existing("a", "1"), existing("b", "2")];
    const made = { realPath: join(folder, "new", "deep", "c"), bytes: Buffer.from("3"), like: a.before };
    const written = await write({ ...a, bytes: Buffer.from("one") }, b, made);
    expect(written).toMatchObject({ stamps: [{ sizeBytes: 3 }, undefined, { sizeBytes: 1 }] });
    expect(tree()).toEqual({ a: "one", new: "/", "new/deep": "/", "new/deep/c": "3" });
  });

  it.each([
    ["that cannot be prepared", () => ({ realPath: join(folder, "a", "below-a-file"), bytes: Buffer.from("x") })],
    ["that others have changed", () => ({ ...existing("z", "1"), before: statOf(folder), bytes: Buffer.from("x") })],
    ["that others have made", () => ({ realPath: existing("z", "1").realPath, bytes: Buffer.from("x") })],
  ])("changes no file because of one %s", async (_what, last) => {
    const [a, b] = [existing("a", "1"), existing("b", "2")];
    const made = { realPath: join(folder, "new", "c"), bytes: Buffer.from("3") };
    const failing = last();
    const before = tree();
    const written = await write({ ...a, bytes: Buffer.from("one") }, b, made, failing);
    expect(written).toMatchObject({ failed: 3, left: [] });
    expect(tree()).toEqual(before);
    expect(statOf(a.realPath).ino).toBe(a.before.ino);
  });

  /** Runs `act`, as another program would, once the first files are renamed. */
  const whileRenaming = (first: string, act: () => void): FileEdit => ({
    realPath: join(folder, "new", "c"),
    get bytes() {
      if (readFileSync(first, "utf8") === "one") act();
      return Buffer.from("3");
    },
  });

  it("puts back what it has changed, made and removed when it fails in the middle", async () => {
    const [a, b] = [existing("a", "1"), existing("b", "2")];
    chmodSync(a.realPath, 0o750);
    const before = tree();
    const last = { realPath: join(folder, "last"), bytes: Buffer.from("4") };
    const breaking = whileRenaming(a.realPath, () => mkdirSync(last.realPath, { recursive: true }));
    const written = await write({ ...a, before: statOf(a.realPath), bytes: Buffer.from("one") }, b, breaking, last);
    expect(written).toMatchObject({ failed: 3, left: [] });
    rmSync(last.realPath, { recursive: true });
    expect(tree()).toEqual(before);
    expect(statOf(a.realPath).mode & 0o777n).toBe(0o750n);
  });

  it("names what it could not put back, and leaves another program's change of it", async () => {
    const [a, b] = [existing("a", "1"), existing("b", "2")];
    const last = { realPath: join(folder, "last"), bytes: Buffer.from("4") };
    const breaking = whileRenaming(a.realPath, () => {
      writeFileSync(last.realPath, "theirs");
      rmSync(a.realPath);
      writeFileSync(a.realPath, "their longer one");
    });
    const written = await write(
      { ...a, bytes: Buffer.from("one") },
      { ...b, bytes: Buffer.from("two") },
      breaking,
      last,
    );
    expect(written).toMatchObject({ failed: 3, left: [0] });
    expect(tree()).toEqual({ a: "their longer one", b: "2", last: "theirs" });
  });
});

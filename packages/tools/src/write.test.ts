import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../test/trial.ts";
import { createRead } from "./read.ts";
import { createWrite } from "./write.ts";
import { FileWriter } from "./writing/file-writer.ts";

const read = createRead();
const write = createWrite(new FileWriter());

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

const run = (file_path: string, content: string) => trial.run(write, { file_path, content });
const see = (file_path: string) => trial.run(read, { file_path });

describe("writing a new file", () => {
  it.each(["C:\\Users\\ada\\My Files\\notes.txt", "D:/notes.txt"])(
    "makes none of a path of Windows: %s",
    async (path) => {
      const text = `There is no ${path}: this system has no drives. Write a path below ${trial.root}.`;
      expect(await run(path, "x")).toMatchObject({ status: "error", text });
      expect(readdirSync(trial.root)).toEqual([]);
    },
  );

  it("makes no folder of a session again that is gone", async () => {
    rmSync(trial.root, { recursive: true });
    expect(await run("a.txt", "x")).toMatchObject({
      status: "error",
      text: expect.stringContaining("no longer exists"),
    });
    expect(existsSync(trial.root)).toBe(false);
  });

  it("creates its folders, and shows a diff", async () => {
    const result = await run("a/b/c.txt", "one\ntwo\n");
    expect(result).toEqual({
      status: "ok",
      text: "Created a/b/c.txt (8 bytes).",
      blocks: [
        {
          type: "diff",
          path: join(trial.root, "a/b/c.txt"),
          change: "create",
          hunks: "@@ -0,0 +1,2 @@\n+one\n+two",
          added: 2,
          removed: 0,
        },
      ],
    });
    expect(trial.text("a/b/c.txt")).toBe("one\ntwo\n");
    expect(readdirSync(join(trial.root, "a/b"))).toEqual(["c.txt"]);
  });

  it("uses the mode that the umask leaves", async () => {
    const before = process.umask(0o027);
    await run("x", "");
    process.umask(before);
    expect(statSync(join(trial.root, "x")).mode & 0o777).toBe(0o640);
  });

  it("allows writing again at once, since the content is known", async () => {
    await run("x", "one");
    expect(await run("x", "two")).toMatchObject({ status: "ok", text: "Wrote x (3 bytes, was 3 bytes)." });
  });

  it("reports that half characters were replaced", async () => {
    expect((await run("x", "a\ud800b")).text).toContain("[half characters (lone surrogates) were written as \uFFFD]");
    expect(trial.text("x")).toBe("a\uFFFDb");
  });
});

describe("writing an existing file", () => {
  it("requires reading it first, and again after a change", async () => {
    const path = trial.file("x", "old!");
    expect(await run("x", "new")).toMatchObject({
      status: "error",
      text: "x exists, and you have not read it in this session: read it first.",
    });
    await see("x");
    // The same size, and the same time to the nanosecond.
    const { atime, mtime } = statSync(path);
    trial.file("x", "OLD!");
    utimesSync(path, atime, mtime);
    expect((await run("x", "new")).text).toMatch(/^x has changed on disk since you last read it/);
    expect(trial.text("x")).toBe("OLD!");
    await see("x");
    expect((await run("x", "new")).status).toBe("ok");
    expect(trial.text("x")).toBe("new");
  });

  it("accepts a new date when the content is the same", async () => {
    const path = trial.file("x", "old");
    await see("x");
    utimesSync(path, 1, 1);
    expect((await run("x", "new")).status).toBe("ok");
  });

  it("requires no reading when the file is empty or already has the content", async () => {
    trial.file("empty");
    expect((await run("empty", "x")).status).toBe("ok");
    trial.file("same", "same");
    expect(await run("same", "same")).toMatchObject({
      status: "ok",
      text: "same already has exactly this content; nothing was written.",
    });
  });

  it("keeps the mode, and reports what else was lost", async () => {
    const path = trial.file("run.sh", "\uFEFFone\r\ntwo\r\n");
    chmodSync(path, 0o4755);
    await see("run.sh");
    expect((await run("run.sh", "one\n")).text).toBe(
      "Wrote run.sh (4 bytes, was 13 bytes).\n[line ends changed from CRLF to LF]\n[byte order mark removed]",
    );
    expect(statSync(path).mode & 0o7777).toBe(0o4755);
  });

  it("writes through a link, which stays a link", async () => {
    trial.file("target", "old");
    symlinkSync("target", join(trial.root, "link"));
    await see("link");
    expect((await run("link", "new")).status).toBe("ok");
    expect(lstatSync(join(trial.root, "link")).isSymbolicLink()).toBe(true);
    expect(trial.text("target")).toBe("new");
  });
});

describe("a write that fails", () => {
  it("reports why, and leaves nothing behind", async () => {
    mkdirSync(join(trial.root, "folder"));
    trial.file("file");
    symlinkSync("nowhere", join(trial.root, "dangling"));
    symlinkSync("loop", join(trial.root, "loop"));
    trial.fifo("fifo");
    const before = readdirSync(trial.root);
    expect((await run("folder", "x")).text).toBe("folder is a folder, not a file: list it with ls.");
    expect((await run("file/below", "x")).text).toContain("a part of the path is a file, not a folder");
    expect((await run("dangling", "x")).text).toContain("is a link to something that does not exist");
    expect((await run("loop", "x")).text).toContain("its links form a loop");
    expect((await run("fifo", "x")).text).toContain("a named pipe (FIFO), not a regular file");
    expect((await run("/dev/full", "x")).text).toContain("a device");
    expect((await run("/proc/x", "x")).status).toBe("error");
    expect((await run("a\0b", "x")).text).toContain("NUL character");
    expect(readdirSync(trial.root)).toEqual(before);
  });

  it("changes nothing in its preview, which shows the diff or the reason", async () => {
    const args = { file_path: "new/x", content: "a" };
    expect(await write.preview?.(args, trial.context, trial.approval)).toMatchObject([
      { type: "diff", change: "create" },
    ]);
    expect(existsSync(join(trial.root, "new"))).toBe(false);
    trial.file("old", "b");
    expect(await write.preview?.({ file_path: "old", content: "a" }, trial.context, trial.approval)).toEqual({
      problem: expect.stringContaining("read it first"),
    });
    expect(await write.preview?.({ file_path: "old", content: "b" }, trial.context, trial.approval)).toMatchObject([
      { type: "text", text: "old already has exactly this content: nothing would be written." },
    ]);
  });
});

describe("writing over a file of another encoding", () => {
  it("keeps UTF-16 with its byte order mark", async () => {
    trial.file("a", Buffer.from("\uFEFFold ä", "utf16le").swap16());
    await see("a");
    expect((await run("a", "new €\n")).text).toMatch(/\n\[written as UTF-16, as it was\]$/);
    expect(trial.bytes("a")).toEqual(Buffer.from("\uFEFFnew €\n", "utf16le").swap16());
  });

  it.each([
    ["Latin-1", Buffer.from("Gr\xfc\xdfe und mehr Text davor\n", "latin1")],
    ["Shift-JIS", Buffer.from("93fa967b8cea82c58f918ac28f910a", "hex")],
  ])("makes no UTF-8 of %s without a word, and plain ASCII is the same in both", async (_what, bytes) => {
    trial.file("a", bytes);
    await see("a");
    expect(await run("a", "Grüße\n")).toMatchObject({
      status: "error",
      text: expect.stringMatching(/^a is not UTF-8 text/),
    });
    expect(trial.bytes("a")).toEqual(bytes);
    expect(await run("a", "plain\n")).toMatchObject({ status: "ok" });
    expect(trial.text("a")).toBe("plain\n");
  });

  it("works if the file was not text at all", async () => {
    trial.file("a", Buffer.from([0, 1, 2, 0xff]));
    await trial.run(read, { file_path: "a" });
    expect((await run("a", "ü")).text).not.toContain("UTF-8");
  });
});

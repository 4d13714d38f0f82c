import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, symlinkSync, truncateSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../test/trial.ts";
import { createRead } from "./read.ts";

const read = createRead();

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

const run = (file_path: string, more: object = {}) => trial.run(read, { file_path, ...more });
const numbered = (...lines: string[]) => lines.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`).join("\n");

describe("reading a text file", () => {
  it("shows numbered lines, by any form of the path", async () => {
    const path = trial.file("sub/a b.txt", "one\ntwo\n");
    const expected = { status: "ok", text: numbered("one", "two") };
    for (const form of ["sub/a b.txt", "./sub/../sub/a b.txt", path, pathToFileURL(path).href]) {
      expect(await run(form)).toMatchObject(expected);
    }
    expect(read.effects({ file_path: "~/x" }, "/w")).toEqual([{ kind: "read", path: join(homedir(), "x") }]);
    expect(read.title({ file_path: path, offset: 3 }, trial.root)).toBe("read sub/a b.txt from line 3");
  });

  it("returns pages that say how to continue", async () => {
    trial.file("long.txt", Array.from({ length: 4321 }, (_, i) => `line ${i + 1}`).join("\n"));
    const first = await run("long.txt");
    expect(first.text).toMatch(/^ {5}1\tline 1\n/);
    expect(first.text).toMatch(/\n {2}2000\tline 2000\n\[lines 1-2000 of 4321; read on with offset=2001\]$/);
    expect((await run("long.txt", { offset: 4320 })).text).toBe("  4320\tline 4320\n  4321\tline 4321");
    expect((await run("long.txt", { offset: 7, limit: 1 })).text).toBe(
      "     7\tline 7\n[lines 7-7 of 4321; read on with offset=8]",
    );
    expect(await run("long.txt", { offset: 9999 })).toMatchObject({
      status: "error",
      text: "long.txt has 4,321 lines; line 9999 is past its end.",
    });
    expect((await run("long.txt", { offset: -5, limit: 0 })).text).toMatch(/^ {5}1\tline 1\n\[lines 1-1 /);
  });

  it("ends a page early when it becomes too large", async () => {
    trial.file("wide.txt", `${"w".repeat(1000)}\n`.repeat(500));
    const { text } = await run("wide.txt");
    expect(text.length).toBeLessThan(51_000);
    expect(text).toMatch(/\[lines 1-49 of 500; read on with offset=50\]$/);
  });

  it("cuts long lines", async () => {
    trial.file("line.txt", `${"x".repeat(3_000_000)}\nend\n`);
    const { text } = await run("line.txt");
    expect(text.length).toBeLessThan(3000);
    expect(text).toMatch(/x… \[2998000 more characters\]\n {5}2\tend\n\[1 line cut at 2000 characters\]$/);
  });

  it("reports that the file is empty", async () => {
    trial.file("empty.txt");
    expect(await run("empty.txt")).toMatchObject({ status: "ok", text: "empty.txt exists and is empty." });
  });

  it.each([
    ["CRLF", Buffer.from("a\r\nb\r\n"), /^ {5}1\ta\n {5}2\tb$/],
    ["a byte order mark", Buffer.from("\uFEFFa\n"), /^ {5}1\ta\n\[starts with a byte order mark/],
    [
      "UTF-16 LE",
      Buffer.from("\uFEFFaé\nb", "utf16le"),
      /^ {5}1\taé\n {5}2\tb\n\[UTF-16, little-endian, which edit and write keep/,
    ],
    ["UTF-16 BE", Buffer.from("\uFEFFaé\nb", "utf16le").swap16(), /^ {5}1\taé\n {5}2\tb\n\[UTF-16, big-endian/],
    ["Latin-1", Buffer.from("caf\xe9\n", "latin1"), /^ {5}1\tcafé\n\[not UTF-8; read as Latin-1/],
    ["old line ends", Buffer.from("a\rb"), /^ {5}1\ta\rb$/],
  ])("decodes the file: %s", async (_what, bytes, expected) => {
    trial.file("x", bytes);
    expect((await run("x")).text).toMatch(expected);
  });

  it("keeps control characters, so that the text can be edited", async () => {
    trial.file("x", "\x1b[31ma\x07\n");
    expect((await run("x")).text).toBe(numbered("\x1b[31ma\x07"));
  });

  it("keeps a character at the end of the first chunk complete", async () => {
    trial.file("euro.txt", `x${"€".repeat(40_000)}`);
    expect((await run("euro.txt")).text).not.toContain("\uFFFD");
  });

  it("records a stamp of the seen file, even for a page", async () => {
    const path = trial.file("a.txt", "one\ntwo\n");
    await run("a.txt", { limit: 1 });
    const sha256 = createHash("sha256").update("one\ntwo\n").digest("hex");
    expect(trial.context.files.seen(path)).toMatchObject({ sizeBytes: 8, sha256 });
  });
});

describe("reading a very large file", () => {
  it("shows a page without reading to the end", async () => {
    const path = trial.file("huge.log", "first\nsecond\n");
    const descriptor = openSync(path, "r+");
    writeSync(descriptor, "x\n".repeat(100_000), 13);
    writeSync(descriptor, "end\n", 3_000_000_000);
    closeSync(descriptor);
    const { text } = await run("huge.log", { limit: 2 });
    expect(text).toMatch(
      /^ {5}1\tfirst\n {5}2\tsecond\n\[lines 1-2, file of 3.0 GB, its lines were not counted; read on/,
    );
    expect(trial.context.files.seen(path)).toBeUndefined();
  });

  it("recognises 2 GB of zeros as binary", async () => {
    truncateSync(trial.file("sparse"), 2_000_000_000);
    expect(await run("sparse")).toMatchObject({
      status: "error",
      text: expect.stringContaining("binary data, 2.0 GB"),
    });
  });
});

describe("reading a file that is not text", () => {
  it("is refused with the kind and size", async () => {
    trial.file("x.txt", Buffer.from("\x7fELF\x02\x01\x01\0\0\0", "latin1"));
    expect((await run("x.txt")).text).toMatch(/^x.txt is not text \(ELF program, 10 bytes\), so it was not shown/);
    trial.file("y", Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1"));
    expect((await run("y")).text).toContain("PDF document");
    trial.file(
      "z",
      Uint8Array.from({ length: 2000 }, (_, i) => 1 + ((i * 31) % 255)),
    );
    expect((await run("z")).status).toBe("error");
  });

  it("returns an image to models that accept images, by its bytes and not its name", async () => {
    const png =
      "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAFElEQVR4nGNgYGRiZmFlY+dggLMAAmwASQIgc6AAAAAASUVORK5CYII=";
    const path = trial.file("shot.dat", Buffer.from(png, "base64"));
    const result = await run("shot.dat");
    expect(result).toMatchObject({
      status: "ok",
      text: "shot.dat: PNG image, 3 × 2 pixels, 77 bytes, image/png",
      images: [{ type: "image", mimeType: "image/png", data: png }],
      blocks: [{ type: "image", mimeType: "image/png", path }],
    });
    trial.file("fake.png", "not a picture\n");
    expect((await run("fake.png")).text).toBe(numbered("not a picture"));
  });

  it("sends no image that nobody can decode", async () => {
    trial.file("cut.png", Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAFElEQVR4nGNg", "base64"));
    expect(await run("cut.png")).toMatchObject({
      status: "error",
      text: "cut.png is an image (3 × 2 pixels, 45 bytes, image/png), and cannot be shown: it is incomplete: its data ends before the picture does.",
    });
  });

  it("refuses an image that is too large", async () => {
    const path = trial.file("big.gif", Buffer.concat([Buffer.from("GIF89a\x10\0\x20\0"), Buffer.alloc(100)]));
    truncateSync(path, 60_000_000);
    expect((await run("big.gif")).text).toBe(
      "big.gif is an image of 60.0 MB: only images up to 50 MB can be shown. Make it smaller.",
    );
  });
});

describe("reading a path that is not a file", () => {
  it.each([
    ["/dev/zero", "a device"],
    ["/dev/tty", "a device"],
    ["/proc/self/environ", "part of a kernel file system"],
    ["fifo", "a named pipe (FIFO)"],
    ["to-fifo", "a named pipe (FIFO)"],
  ])("does not open %s", async (path, kind) => {
    trial.fifo("fifo");
    symlinkSync("fifo", join(trial.root, "to-fifo"));
    expect(await run(path)).toMatchObject({
      status: "error",
      text: expect.stringContaining(`is ${kind}, not a regular`),
    });
  });

  it("reports a socket", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(trial.root, "s"), resolve));
    expect((await run("s")).text).toBe("s is a socket, not a regular file, so it was not opened.");
    await new Promise((resolve) => server.close(resolve));
  });

  it("reports a folder, a circle of links and an impossible name", async () => {
    mkdirSync(join(trial.root, "sub"));
    symlinkSync("loop", join(trial.root, "loop"));
    expect((await run("sub")).text).toBe("sub is a folder, not a file: list it with ls.");
    expect((await run("loop")).text).toBe("Cannot open loop: its links form a loop.");
    expect((await run("a\0b")).text).toContain("the path contains a NUL character");
    expect((await run("x".repeat(300))).text).toContain("the name is too long");
  });

  it("suggests a similar name when the file does not exist", async () => {
    trial.file("src/parser.ts");
    trial.file("src/Parser.test.ts");
    trial.file("src/other.ts");
    expect((await run("src/paser.ts")).text).toBe(
      `There is no src/paser.ts in ${trial.root}/src. Close names there: parser.ts.`,
    );
    expect((await run("src/parser.js")).text).toContain("Close names there: parser.ts");
    expect((await run("lib/deep/x.ts")).text).toBe(
      `There is no lib/deep/x.ts: its folder does not exist (${trial.root} does).`,
    );
    expect((await run("src/parser.ts/x")).text).toBe(
      "Cannot open src/parser.ts/x: a part of the path is a file, not a folder.",
    );
  });
});

import { symlinkSync, truncateSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import type { Tool } from "@harness/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../test/trial.ts";
import { createEdit } from "./edit.ts";
import { createGlob } from "./glob.ts";
import { createGrep } from "./grep.ts";
import { createLs } from "./ls.ts";
import { findProgram } from "./process/find-program.ts";
import { createRead } from "./read.ts";
import { createWrite } from "./write.ts";
import { FileWriter } from "./writing/file-writer.ts";

const read = createRead();
const edit = createEdit(new FileWriter());
const write = createWrite(new FileWriter());

const LINE_BYTES = 50_000_000;
const PATIENCE_MS = 60_000;
/** The longest result of one call for the model. */
const MAX_CHARS = 60_000;

/** A folder with everything that is not ordinary text. */
let trial: Trial;
let socket: Server;
beforeAll(async () => {
  trial = createTrial();
  trial.file("ordinary.txt", "needle\n");
  trial.file("line", `${"x".repeat(LINE_BYTES)}needle\nend\n`);
  truncateSync(trial.file("sparse"), 2_000_000_000);
  trial.file("program", Buffer.from("\x7fELF\x02\x01\x01\0\0\0needle\n", "latin1"));
  trial.fifo("pipe");
  symlinkSync("/dev/zero", join(trial.root, "device"));
  socket = createServer();
  await new Promise<void>((resolve) => socket.listen(join(trial.root, "socket"), resolve));
});
afterAll(async () => {
  await new Promise((resolve) => socket.close(resolve));
  trial.remove();
});

const ripgrep = await findProgram("rg", process.env.PATH ?? "");
const searches: [string, Tool][] = [
  ["our own search", createGrep({ timeoutMs: PATIENCE_MS, rgPath: null })],
  ...(ripgrep ? [["ripgrep", createGrep({ timeoutMs: PATIENCE_MS, rgPath: ripgrep })] as [string, Tool]] : []),
];

describe("row 57: a special file", () => {
  it("with a line of 50 MB is read as a page in little memory", async () => {
    const before = process.memoryUsage().rss;
    const { status, text } = await trial.run(read, { file_path: "line" });
    expect([status, text.length < 5000]).toEqual(["ok", true]);
    expect(text).toMatch(/x… \[[\d,]+ more characters\]\n {5}2\tend/);
    expect(process.memoryUsage().rss - before).toBeLessThan(3 * LINE_BYTES);
  });

  it.each(searches)(
    "lets %s find text without waiting or long output",
    async (_name, grep) => {
      const { status, text } = await trial.run(grep, { pattern: "needle" });
      expect(status).toBe("ok");
      expect(text).toContain("ordinary.txt:1:needle");
      expect(text).not.toContain("program:");
      expect(text.length).toBeLessThan(MAX_CHARS);
    },
    PATIENCE_MS,
  );

  it("is listed by name without being opened", async () => {
    const listed = await trial.run(createLs(), { path: "." });
    const found = await trial.run(createGlob({ timeoutMs: PATIENCE_MS }), { pattern: "**/*" });
    for (const name of ["line", "sparse", "program", "pipe", "device", "socket"]) expect(listed.text).toContain(name);
    expect(found.text).toContain("ordinary.txt");
    expect([listed.status, found.status]).toEqual(["ok", "ok"]);
  });

  it.each(["sparse", "program", "pipe", "device", "socket"])("is refused by read, write and edit: %s", async (name) => {
    for (const [tool, args] of [
      [read, { file_path: name }],
      [write, { file_path: name, content: "x" }],
      [edit, { file_path: name, old_string: "a", new_string: "b" }],
    ] as const) {
      const { status, text } = await trial.run(tool, args);
      expect([status, text.length < 500], `${tool.name}: ${text.slice(0, 200)}`).toEqual(["error", true]);
    }
  });
});

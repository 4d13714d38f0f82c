import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Tool } from "@harness/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../test/trial.ts";
import { createBash } from "./bash.ts";
import { createEdit } from "./edit.ts";
import { openFile } from "./files/open-file.ts";
import { createGlob } from "./glob.ts";
import { createGrep } from "./grep.ts";
import { createLs } from "./ls.ts";
import { createRead } from "./read.ts";
import { createWrite } from "./write.ts";
import { FileWriter } from "./writing/file-writer.ts";

const read = createRead();
const edit = createEdit(new FileWriter());
const write = createWrite(new FileWriter());

let trial: Trial;
let outside: string;
beforeEach(() => {
  trial = createTrial();
  outside = join(dirname(trial.root), "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "f.txt"), "canary\n");
  trial.file("in/f.txt", "inside\n");
  symlinkSync("in", join(trial.root, "link"));
});
afterEach(() => trial.remove());

const timeoutMs = 20_000;
const rows: [name: string, tool: Tool, args: Record<string, unknown>, path: string][] = [
  ["read", read, { file_path: "link/f.txt" }, "link/f.txt"],
  ["write", write, { file_path: "link/f.txt", content: "new\n" }, "link/f.txt"],
  ["write, a new file", write, { file_path: "link/new/n.txt", content: "new\n" }, "link/new/n.txt"],
  ["edit", edit, { file_path: "link/f.txt", old_string: "inside", new_string: "new" }, "link/f.txt"],
  ["ls", createLs(), { path: "link" }, "link"],
  ["glob", createGlob({ timeoutMs }), { pattern: "link/*.txt" }, "link"],
  ["glob, a plain name", createGlob({ timeoutMs }), { pattern: "link/f.txt" }, "link"],
  ["grep", createGrep({ timeoutMs, rgPath: null }), { pattern: "i|canary", path: "link" }, "link"],
  ["grep, a file", createGrep({ timeoutMs, rgPath: null }), { pattern: "i|canary", path: "link/f.txt" }, "link/f.txt"],
];

describe.each(rows)("the verdict on %s", (_name, tool, args, path) => {
  const judged = () => new Map([[join(trial.root, path), join(trial.root, path.replace("link", "in"))]]);

  it("holds for the place that was judged", async () => {
    await trial.run(read, { file_path: "link/f.txt" });
    expect(await trial.run(tool, args, { realPaths: judged() })).toMatchObject({ status: "ok" });
  });

  it("does not hold after a link leads elsewhere", async () => {
    await trial.run(read, { file_path: "link/f.txt" });
    const realPaths = judged();
    unlinkSync(join(trial.root, "link"));
    symlinkSync(outside, join(trial.root, "link"));
    const { status, text } = await trial.run(tool, args, { realPaths });
    expect(status).toBe("error");
    expect(text).toContain(`${path} now leads to ${join(outside, path.slice(5))}`.replace(/\/$/, ""));
    expect(text).toMatch(/ask again\.$/);
    expect(text).not.toContain("canary");
  });

  it("does not hold after the folder was replaced by a link", async () => {
    await trial.run(read, { file_path: "link/f.txt" });
    const realPaths = judged();
    renameSync(join(trial.root, "in"), join(trial.root, "was"));
    symlinkSync(outside, join(trial.root, "in"));
    const { status, text } = await trial.run(tool, args, { realPaths });
    expect(status).toBe("error");
    expect(text).toContain("ask again");
  });
});

it("a verdict on a command is bound to its folder", async () => {
  const bash = createBash({ timeoutMs, extraEnv: {} });
  const cwd = join(trial.root, "link");
  const realPaths = new Map([[cwd, join(trial.root, "in")]]);
  expect((await trial.run(bash, { command: "pwd" }, { cwd, realPaths })).text).toBe(join(trial.root, "in"));
  unlinkSync(cwd);
  symlinkSync(outside, cwd);
  const result = await trial.run(bash, { command: "touch made" }, { cwd, realPaths });
  expect(result).toMatchObject({ status: "error", text: expect.stringContaining(`now leads to ${outside}`) });
});

it("openFile opens no file out of bounds, and no pipe", async () => {
  trial.fifo("fifo");
  const place = { cwd: trial.root, below: join(trial.root, "in") };
  expect(await openFile(join(trial.root, "fifo"), { cwd: trial.root })).toMatchObject({
    problem: expect.stringContaining("named pipe"),
  });
  symlinkSync(join(outside, "f.txt"), join(trial.root, "in", "out.txt"));
  expect(await openFile(join(trial.root, "in/out.txt"), place)).toMatchObject({
    problem: expect.stringContaining("leads out of"),
  });
});

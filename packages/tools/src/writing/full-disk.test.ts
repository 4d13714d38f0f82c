import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findProgram } from "../process/find-program.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-full-")));
afterAll(() => rmSync(folder, { recursive: true }));

const source = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

/** On a disk of 1 MB: replaces a file of 600 kB, edits it together with a small one, and makes a second one. */
const program = (root: string) => `
  const { createWrite } = await import(${source("../write.ts")});
  const { createEdit } = await import(${source("../edit.ts")});
  const { FileWriter } = await import(${source("./file-writer.ts")});
  const { createRead } = await import(${source("../read.ts")});
  const read = createRead();
  const { readdirSync, readFileSync, writeFileSync } = await import("node:fs");
  const write = createWrite(new FileWriter());
  const cwd = ${JSON.stringify(root)};
  const stamps = new Map();
  const files = { seen: (path) => stamps.get(path), record: (path, stamp) => stamps.set(path, stamp) };
  const context = {
    cwd, signal: new AbortController().signal, emit() {}, files,
    spill: () => "/dev/null",
  };
  const approval = { realPaths: new Map(), roots: [cwd], sandboxed: false };
  const old = "old line\\n".repeat(65_000);
  writeFileSync(cwd + "/x", old);
  await read.run({ file_path: "x", limit: 1 }, context, approval);
  const replaced = await write.run({ file_path: "x", content: "new line\\n".repeat(65_000) }, context, approval);
  writeFileSync(cwd + "/small", "old");
  await read.run({ file_path: "small" }, context, approval);
  const edits = [{ file_path: "small", old_string: "old", new_string: "new" }];
  const text = { file_path: "x", old_string: "old line", new_string: "new line", replace_all: true };
  const edited = await createEdit(new FileWriter()).run({ edits: [...edits, text] }, context, approval);
  const made = await write.run({ file_path: "sub/y", content: "new line\\n".repeat(65_000) }, context, approval);
  const kept = readFileSync(cwd + "/x", "utf8") === old && readFileSync(cwd + "/small", "utf8") === "old";
  const there = readdirSync(cwd, { recursive: true });
  console.log(JSON.stringify({ kept, there, texts: [replaced, edited, made].map(({ text }) => text) }));`;

/** A small disk of one's own needs namespaces, as a container gets them. */
const bubblewrap = await findProgram("bwrap", process.env.PATH ?? "");
const onSmallDisk = (words: readonly string[]) =>
  spawnSync(bubblewrap ?? "", ["--dev-bind", "/", "/", "--size", "1048576", "--tmpfs", folder, ...words], {
    encoding: "utf8",
  });
const canMount = bubblewrap !== undefined && onSmallDisk(["true"]).status === 0;
const missing = canMount ? "" : " - skipped: no bubblewrap that can mount a disk; needs apt install bubblewrap";

describe.skipIf(missing !== "")(`row 56: a full disk${missing}`, () => {
  it("leaves the old content and no partial file", () => {
    const { stdout, stderr } = onSmallDisk([process.execPath, "--input-type=module", "--eval", program(folder)]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      kept: true,
      there: ["small", "x"],
      texts: [
        "Cannot write x: no space is left on the disk. Nothing was changed.",
        "Cannot write x: no space is left on the disk. Nothing was changed.",
        "Cannot write sub/y: no space is left on the disk. Nothing was changed.",
      ],
    });
  });
});

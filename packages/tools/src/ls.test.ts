import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../test/trial.ts";
import { createLs } from "./ls.ts";

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

const run = (path?: string) => trial.run(createLs(), path === undefined ? {} : { path });

describe("ls", () => {
  it("lists folders first, then files with sizes, including hidden ones", async () => {
    trial.file("b/x");
    trial.file("a/x");
    trial.file("z.txt", "x".repeat(12_345));
    trial.file(".hidden", "x");
    symlinkSync("z.txt", join(trial.root, "link"));
    trial.fifo("pipe");
    const { text, blocks } = await run();
    expect(text).toBe("a/\nb/\n.hidden  1 byte\nlink -> z.txt\npipe  (FIFO)\nz.txt  12 kB");
    expect(blocks).toMatchObject([{ type: "tree", entries: [{ path: "a", directory: true }, {}, {}, {}, {}, {}] }]);
    expect((await run(join(trial.root, "a"))).text).toBe("x  0 bytes");
  });

  it("lists as many levels as asked for, and never follows a link", async () => {
    trial.file(".gitignore", "dist\n");
    for (const name of ["a/b/c/d", "a/x", "a/dist/y", "z"]) trial.file(name);
    symlinkSync("..", join(trial.root, "a", "up"));
    const { text, blocks } = await trial.run(createLs(), { depth: 2 });
    expect(text).toBe("a/\n  b/\n  up -> ..\n  x  0 bytes\n.gitignore  5 bytes\nz  0 bytes\n[ignored: a/dist]");
    expect(blocks).toMatchObject([
      { entries: [{ path: "a" }, { path: "a/b", directory: true }, {}, { path: "a/x" }, {}, {}] },
    ]);
    expect((await trial.run(createLs(), { depth: 99 })).text).toContain("\n    c/\n      d  0 bytes\n");
  });

  it("leaves out names with a dot first, and sorts by size or time", async () => {
    for (const [i, name] of [".hidden", "large", "new", "folder/x"].entries()) {
      const path = trial.file(name, "x".repeat(i === 1 ? 100 : 1));
      utimesSync(path, 1000, i === 2 ? 3000 : 2000);
    }
    utimesSync(join(trial.root, "folder"), 1000, 1000);
    const names = async (args: object) =>
      (await trial.run(createLs(), args)).text.split("\n").map((row) => row.split("  ")[0]);
    expect(await names({ hidden: false })).toEqual(["folder/", "large", "new"]);
    expect(await names({ hidden: false, sort: "size" })).toEqual(["large", "new", "folder/"]);
    expect(await names({ hidden: false, sort: "modified" })).toEqual(["new", "large", "folder/"]);
    expect(await names({ hidden: false, sort: "modified", reverse: true })).toEqual(["folder/", "large", "new"]);
    expect(await names({ hidden: false, reverse: true })).toEqual(["new", "large", "folder/"]);
    expect(await names({ sort: "size", max_entries: 1 })).toEqual(["large", "… and 3 more entries"]);
  });

  it("shows the upper levels when there are too many entries", async () => {
    for (let i = 0; i < 30; i++) for (let j = 0; j < 20; j++) trial.file(`d${10 + i}/f${j}`);
    const { text } = await trial.run(createLs(), { depth: 2 });
    expect(text.match(/^d\d+\/$/gm)).toHaveLength(30);
    expect(text.split("\n")).toHaveLength(501);
    expect(text).toMatch(/… and \d+ more entries$/);
  });

  it("names the entries that it skips", async () => {
    trial.file(".gitignore", "dist\n");
    for (const name of ["dist/x", "node_modules/x", ".git/x", "src/x"]) trial.file(name);
    expect((await run()).text).toBe("src/\n.gitignore  5 bytes\n[ignored: .git, dist, node_modules]");
    expect((await run("dist")).text).toBe("x  0 bytes");
  });

  it("reports that a folder is empty, is a file, or does not exist", async () => {
    mkdirSync(join(trial.root, "empty"));
    trial.file("file");
    expect(await run("empty")).toMatchObject({ status: "ok", text: "empty is empty." });
    expect(await run("file")).toMatchObject({ status: "error", text: "file is not a folder: read shows files." });
    expect((await run("fil")).text).toContain("Close names there: file.");
    expect((await run("a\0")).text).toContain("NUL character");
  });

  it("shows 500 entries and counts the rest", async () => {
    for (let i = 0; i < 520; i++) trial.file(`f${String(i).padStart(3, "0")}`);
    expect((await run()).text).toMatch(/^f000 {2}0 bytes\n[\s\S]*\nf499 {2}0 bytes\n… and 20 more entries$/);
  });

  it("keeps names with special characters on their line", async () => {
    trial.file("a\nb\x1b[31m");
    expect((await run()).text).toBe(String.raw`"a\nb\u001b[31m"  0 bytes`);
  });
});

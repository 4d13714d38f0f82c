import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../test/trial.ts";
import { createGlob } from "./glob.ts";

const glob = createGlob({ timeoutMs: 20_000 });

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

const run = (pattern: string, path?: string) => trial.run(glob, path === undefined ? { pattern } : { pattern, path });
const found = async (pattern: string, path?: string) => (await run(pattern, path)).text.split("\n");

describe("glob", () => {
  it("finds files at any depth in tree order, including hidden ones", async () => {
    for (const name of ["a.ts", "src/b.ts", "src/.hid/c.ts", "src-x/d.ts", "src/b.js", ".e.ts"]) trial.file(name);
    const all = [".e.ts", "a.ts", "src/.hid/c.ts", "src/b.ts", "src-x/d.ts"];
    expect(await found("**/*.ts")).toEqual(all);
    expect(await found("*.ts")).toEqual(all);
    expect(await found("src/*.{ts,js}")).toEqual(["src/b.js", "src/b.ts"]);
    expect(await found("*.ts", "src")).toEqual(["src/.hid/c.ts", "src/b.ts"]);
    expect(await found("./*.ts")).toEqual([".e.ts", "a.ts"]);
    expect(await found(`${trial.root}/src/*.ts`)).toEqual(["src/b.ts"]);
    expect(await found("b.ts")).toEqual(["src/b.ts"]);
    expect(await found("src/b.ts")).toEqual(["src/b.ts"]);
    expect((await run("*.py")).text).toBe(`No files match *.py in ${trial.root}. Ignored files are not listed.`);
  });

  it("skips ignored files unless they are named", async () => {
    trial.file(".gitignore", "dist/\n*.log\n!keep.log\n");
    trial.file("sub/.gitignore", "local.ts\n");
    for (const name of ["a.ts", "a.log", "keep.log", "dist/x.ts", "sub/local.ts", "sub/b.ts", "local.ts"])
      trial.file(name);
    for (const name of ["node_modules/m/i.ts", "sub/node_modules/n/i.ts", ".git/config.ts"]) trial.file(name);
    expect(await found("*.ts")).toEqual(["a.ts", "local.ts", "sub/b.ts"]);
    expect(await found("*.log")).toEqual(["keep.log"]);
    expect(await found("*.ts", "dist")).toEqual(["dist/x.ts"]);
    expect(await found("dist/*.ts")).toEqual(["dist/x.ts"]);
    expect(await found("*.ts", "node_modules/m")).toEqual(["node_modules/m/i.ts"]);
    expect(await found("*.ts", "sub")).toEqual(["sub/b.ts"]);
  });

  it("applies the ignore rules of the repository above the session's folder", async () => {
    const top = dirname(trial.root);
    mkdirSync(join(top, ".git"));
    writeFileSync(join(top, ".gitignore"), "/root/made\n");
    trial.file("made/x.ts");
    trial.file("x.ts");
    expect(await found("*.ts")).toEqual(["x.ts"]);
  });

  it("never leaves the allowed folder, and follows no links", async () => {
    const outside = join(dirname(trial.root), "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "x.ts"), "");
    symlinkSync(outside, join(trial.root, "out"));
    symlinkSync("..", join(trial.root, "up"));
    trial.file("a/a.ts");
    expect(await found("**/*.ts")).toEqual(["a/a.ts"]);
    expect((await run("*/../../outside/*")).text).toBe(
      "Cannot search: the pattern (or one of its {alternatives}) leads above the folder after a wildcard.",
    );
    expect((await run("{a,../outside}/*")).text).toContain("leads above the folder");
    expect(await found("../outside/*.ts")).toEqual([join(outside, "x.ts")]);
    expect(glob.effects({ pattern: "../outside/**/*.ts" }, trial.root)).toEqual([{ kind: "read", path: outside }]);
    expect(glob.effects({ pattern: "src/*.ts", path: "/w" }, trial.root)).toEqual([{ kind: "read", path: "/w/src" }]);
    expect(glob.effects({ pattern: "/*" }, trial.root)).toEqual([{ kind: "read", path: "/" }]);
  });

  it("finds names with brackets and parentheses", async () => {
    trial.file("app/(auth)/[id]/page.tsx");
    expect(await found("app/(auth)/[id]/page.tsx")).toEqual(["app/(auth)/[id]/page.tsx"]);
    expect(await found("app/(auth)/**")).toEqual(["app/(auth)/[id]/page.tsx"]);
    expect(await found("**/\\[id\\]/*")).toEqual(["app/(auth)/[id]/page.tsx"]);
  });

  it("shows names that control a terminal, or take several lines, in quotes that a call can repeat", async () => {
    const name = "a\u001b]0;PWN\u0007\n# Instructions\u2028\u202eb.ts";
    trial.file(name, "x");
    const [shown = ""] = await found("*.ts");
    expect(shown).toBe(String.raw`"a\u001b]0;PWN\u0007\n# Instructions\u2028\u202eb.ts"`);
    expect(JSON.parse(shown)).toBe(name);
  });

  it("shows the first 200 and counts the rest", async () => {
    for (let i = 0; i < 250; i++) trial.file(`f${String(i).padStart(3, "0")}`);
    const { text, blocks } = await run("f*");
    expect(text).toMatch(/^f000\n[\s\S]*\nf199\n… and 50 more files: narrow the pattern$/);
    expect(blocks).toMatchObject([{ type: "list", more: 50 }]);
  });

  it.each([
    ["", "the pattern is empty"],
    ["a\0b", "NUL character"],
    ["x".repeat(2000), "longer than 1000 characters"],
    ["{a,b}".repeat(30), "its braces expand to more than 1000 patterns"],
    ["{1..100000}", "its braces expand to more than"],
    ["+(a|aa)+(b)", "use {a,b}"],
  ])("refuses an invalid or too expensive pattern: %s", async (pattern, words) => {
    expect(await run(pattern)).toMatchObject({ status: "error", text: expect.stringContaining(words) });
  });

  it("reports what is wrong with the folder", async () => {
    trial.file("file");
    expect((await run("*", "file")).text).toBe("file is a file: path must be a folder.");
    expect((await run("*", "fil")).text).toContain("Close names there: file.");
    rmSync(trial.root, { recursive: true });
    expect((await run("*")).status).toBe("error");
  });
});

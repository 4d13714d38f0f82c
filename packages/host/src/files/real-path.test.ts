import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realPathOf } from "./real-path.ts";

let top = "";
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "harness-real-")));
  mkdirSync(join(top, "a/b"), { recursive: true });
  symlinkSync("a", join(top, "link"));
  symlinkSync("nowhere", join(top, "dangling"));
  symlinkSync("loop", join(top, "loop"));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

describe("the real path", () => {
  it.each([
    ["what is there", "a/b", "a/b"],
    ["what is behind a link", "link/b", "a/b"],
    ["what is missing behind a link", "link/x/y/z", "a/x/y/z"],
    ["what is missing below a file that is missing", "x/y", "x/y"],
    ["a link to nothing", "dangling", "dangling"],
    ["what is behind a link to nothing", "dangling/x", "dangling/x"],
    ["a link to itself", "loop/x", "loop/x"],
  ])("is found of %s", async (_name, path, real) => {
    expect(await realPathOf(join(top, path))).toBe(join(top, real));
  });

  it("is found of 1,500 folders, and of what is missing below them", async () => {
    const deep = join(top, ...Array.from({ length: 1500 }, () => "d"));
    mkdirSync(deep, { recursive: true });
    const behindLink = deep.replace(`${top}/d`, `${top}/deep`);
    symlinkSync("d", join(top, "deep"));
    expect(await realPathOf(join(behindLink, "x/y"))).toBe(join(deep, "x/y"));
  });

  it("is the path itself where a system takes no such path", async () => {
    const long = join(top, ...Array.from({ length: 5000 }, () => "x"));
    expect(await realPathOf(long)).toBe(long);
    expect(await realPathOf("/")).toBe("/");
  });
});

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { charsetOf } from "./editor-config.ts";
import { globMatches } from "./section-pattern.ts";

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

describe("a section of .editorconfig", () => {
  it.each([
    ["*", "a.txt", true],
    ["*", "sub/a.txt", true],
    ["*.txt", "sub/a.txt", true],
    ["*.txt", "a.md", false],
    ["*.{c,h}", "src/a.h", true],
    ["*.{c,h}", "src/a.cc", false],
    ["/a.txt", "a.txt", true],
    ["/a.txt", "sub/a.txt", false],
    ["src/*.c", "src/a.c", true],
    ["src/*.c", "src/sub/a.c", false],
    ["src/*.c", "other/src/a.c", false],
    ["src/**.c", "src/sub/a.c", true],
    ["src/**/a.c", "src/a.c", true],
    ["**/a.c", "a.c", true],
    ["a?.txt", "ab.txt", true],
    ["a?.txt", "a/.txt", false],
    ["[ab].txt", "b.txt", true],
    ["[!ab].txt", "b.txt", false],
    ["[a-c]x", "bx", true],
    ["file{1..3}.txt", "file2.txt", true],
    ["file{1..3}.txt", "file4.txt", false],
    ["{a}.txt", "{a}.txt", true],
    ["a\\*.txt", "a*.txt", true],
    ["a.txt", "aXtxt", false],
  ])("%s is about %s: %s", (section, path, expected) => {
    expect(globMatches(section, path)).toBe(expected);
  });

  it("takes no time that grows with its stars", () => {
    expect(globMatches(`${"*a".repeat(400)}b`, "a".repeat(2_000))).toBe(false);
  });
});

describe("the charset of a file", () => {
  const of = (path: string) => charsetOf(join(trial.root, path));

  it("is that of the last section that fits, in the nearest file that names one", () => {
    trial.file(".editorconfig", "root = true\n[*]\ncharset = Latin1\n[*.txt]\ncharset=windows-1251\n");
    trial.file("sub/.editorconfig", "; none\r\n[*.md]\r\ncharset = koi8-r\r\n[*.raw]\ncharset = unset\n");
    expect(["a.c", "a.txt", "sub/a.txt", "sub/a.md", "sub/a.raw"].map(of)).toEqual([
      "latin1",
      "windows-1251",
      "windows-1251",
      "koi8-r",
      undefined,
    ]);
  });

  it("is not looked for above a root", () => {
    trial.file(".editorconfig", "root=true\n[*]\ncharset = latin1\n");
    trial.file("sub/.editorconfig", "\uFEFF# top\nRoot = TRUE\n[*]\nindent_size = 2\n");
    expect([of("a"), of("sub/a"), of("sub/deep/a")]).toEqual(["latin1", undefined, undefined]);
  });

  it("waits for nothing: a pipe and a folder of that name count as none", () => {
    trial.file(".editorconfig", "root=true\n[*]\ncharset = latin1\n");
    trial.fifo("pipe");
    execFileSync("sh", ["-c", "mkdir sub folder folder/.editorconfig && mv pipe sub/.editorconfig"], {
      cwd: trial.root,
    });
    expect([of("sub/a"), of("folder/a")]).toEqual(["latin1", "latin1"]);
  });
});

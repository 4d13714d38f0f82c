import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { namedInGit } from "./named-in-git.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "named-in-git-")));
const work = join(top, "work");
const plain = join(top, "plain");
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: work, encoding: "utf8" }).trim();
const named = namedInGit(() => [work]);

beforeAll(() => {
  for (const folder of [work, plain, join(work, "sub")]) mkdirSync(folder);
  git("init", "-qb", "main");
  writeFileSync(join(work, "sub/a.txt"), "a\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  git("tag", "file", "HEAD:sub/a.txt");
  git("tag", "-a", "-m", "x", "marked", "file");
  git("tag", "-a", "-m", "x", "v1");
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

describe("a name in a repository", () => {
  it.each([
    ["HEAD", "commit"],
    ["v1", "commit"],
    ["main~0", "commit"],
    ["file", "blob"],
    ["marked", "blob"],
    ["HEAD^{tree}", "tree"],
    ["nothing", undefined],
    ["HEAD\nfile", undefined],
    ["-h", undefined],
  ])("%j leads to a %s", async (name, kind) => {
    expect(await named.kindOf(join(work, "sub"), name)).toBe(kind);
  });

  it("leads nowhere where there is no repository", async () => {
    expect(await named.kindOf(plain, "HEAD")).toBeUndefined();
    expect(await named.kindOf(join(top, "gone"), "HEAD")).toBeUndefined();
  });
});

describe("git's aliases", () => {
  it("are those of the settings, by small letters", async () => {
    git("config", "alias.ST", "status -sb");
    git("config", "alias.Two-Words", "!sh -c 'a\nb'");
    expect(await named.aliases(join(work, "sub"))).toEqual({
      byName: expect.objectContaining({ st: "status -sb", "two-words": "!sh -c 'a\nb'" }),
      corrects: false,
    });
    expect((await named.aliases(plain))?.byName.st).toBeUndefined();
    expect(await named.aliases(join(top, "gone"))).toBeUndefined();
  });

  it.each([
    ["0", false],
    ["never", false],
    ["prompt", false],
    ["5", true],
    ["-1", true],
    ["immediate", true],
  ])("say for help.autocorrect=%s that unknown words are corrected: %s", async (value, corrects) => {
    git("config", "help.autocorrect", value);
    expect((await named.aliases(work))?.corrects).toBe(corrects);
  });
});

it("no program of the workspace answers in git's place", async () => {
  const before = process.env.PATH;
  writeFileSync(join(work, "git"), `#!/bin/sh\ntouch '${top}/sprung'\n`);
  chmodSync(join(work, "git"), 0o755);
  try {
    process.env.PATH = `${work}:${before}`;
    expect(await named.kindOf(join(work, "sub"), "HEAD")).toBe("commit");
  } finally {
    process.env.PATH = before;
  }
  expect(existsSync(join(top, "sprung"))).toBe(false);
});

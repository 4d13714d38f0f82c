import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countChangedFiles, type GitCounts, readGitCounts } from "./git-diff-counts.ts";
import { GitEnvironments } from "./git-env.ts";
import { findRepository, readBranch } from "./git-state.ts";
import { NewFileLines } from "./new-file-lines.ts";

let root = "";
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: root, stdio: "pipe" });

const environments = new GitEnvironments();

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "git state "));
  git("init", "-q", "-b", "trunk");
  writeFileSync(join(root, "a.txt"), "one\ntwo\nthree\n");
  git("add", "-A");
  git("commit", "-qm", "first");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("the git state of a folder", () => {
  it("is found from a subfolder", async () => {
    mkdirSync(join(root, "deep/er"), { recursive: true });
    const found = await findRepository(join(root, "deep/er"));
    expect(found?.root).toBe(root);
    expect(await readBranch(found?.gitDir ?? "")).toBe("trunk");
  });

  it("counts lines and files against HEAD", async () => {
    expect(await readGitCounts(root, environments, new NewFileLines())).toEqual({
      branch: "trunk",
      added: 0,
      removed: 0,
      changedFiles: 0,
    });
    writeFileSync(join(root, "a.txt"), "one\nTWO\nthree\nfour\n");
    writeFileSync(join(root, "new.txt"), "x\n");
    expect(await readGitCounts(root, environments, new NewFileLines())).toEqual({
      branch: "trunk",
      added: 3,
      removed: 1,
      changedFiles: 2,
    });
    expect(await countChangedFiles(root, environments, 5_000)).toBe(2);
  });

  it("counts the lines of new files, and says how many files are too many or too large for that", async () => {
    const newFiles = new NewFileLines();
    mkdirSync(join(root, "made"));
    writeFileSync(join(root, "made/a.txt"), "1\n2\nno end");
    writeFileSync(join(root, "made/binary"), "a\0\n\n");
    writeFileSync(join(root, "made/empty"), "");
    execFileSync("mkfifo", [join(root, "made/pipe")]);
    const counts = () => readGitCounts(root, environments, newFiles);
    expect(await counts()).toEqual({ branch: "trunk", added: 6, removed: 1, changedFiles: 5 });
    writeFileSync(join(root, "made/a.txt"), "1\n");
    expect(await counts()).toMatchObject({ added: 4, changedFiles: 5 });
    writeFileSync(join(root, "made/large"), "1\n".repeat(1_000_000));
    expect(await counts()).toEqual({ branch: "trunk", added: 2, removed: 1, changedFiles: 6, uncounted: 5 });
  });

  it("says where HEAD is where it is no plain branch, and what git is in the middle of", async () => {
    const repository = mkdtempSync(join(tmpdir(), "git head "));
    const run = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
        cwd: repository,
        stdio: "pipe",
      }).toString();
    const write = (text: string) => writeFileSync(join(repository, "f"), text);
    const head = async () => {
      const found = await readGitCounts(repository, environments, new NewFileLines());
      const { added: _added, removed: _removed, changedFiles: _files, ...rest } = found as GitCounts;
      return rest;
    };
    const conflict = (...args: string[]) => expect(() => run(...args)).toThrow();
    try {
      run("init", "-q", "-b", "main");
      write("1\n");
      run("add", "f");
      run("commit", "-qm", "1");
      run("branch", "topic");
      write("2\n");
      run("commit", "-qam", "2");
      run("checkout", "-q", "topic");
      write("3\n");
      run("commit", "-qam", "3");
      run("branch", "-q", "--set-upstream-to=main");
      expect(await head()).toEqual({ branch: "topic", ahead: 1, behind: 1 });
      conflict("merge", "main");
      expect(await head()).toEqual({ branch: "topic", operation: "merging", ahead: 1, behind: 1 });
      run("merge", "--abort");
      conflict("cherry-pick", "main");
      expect(await head()).toMatchObject({ branch: "topic", operation: "cherry-picking" });
      run("cherry-pick", "--abort");
      conflict("rebase", "main");
      expect(await head()).toEqual({ branch: "topic", operation: "rebasing" });
      run("rebase", "--abort");
      run("bisect", "start", "topic", "topic~1");
      expect(await head()).toMatchObject({ branch: "topic", operation: "bisecting" });
      run("bisect", "reset");
      run("checkout", "-q", "--detach", "main");
      expect(await head()).toEqual({ branch: run("rev-parse", "--short", "HEAD").trim(), isDetached: true });
      run("tag", "v1.0");
      expect(await head()).toEqual({ branch: "v1.0", isDetached: true });
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  });

  it.skipIf(process.getuid?.() !== 0)("says when git refuses a folder of somebody else's", async () => {
    const foreign = mkdtempSync(join(tmpdir(), "git foreign "));
    execFileSync("git", ["init", "-q"], { cwd: foreign });
    chownSync(foreign, 12_345, 12_345);
    chownSync(join(foreign, ".git"), 12_345, 12_345);
    expect(await readGitCounts(foreign, environments, new NewFileLines())).toEqual({ problem: "dubious ownership" });
    rmSync(foreign, { recursive: true, force: true });
  });

  it("ignores the caller's GIT_DIR", async () => {
    process.env.GIT_DIR = "/nonexistent";
    try {
      expect(await readGitCounts(root, environments, new NewFileLines())).toMatchObject({ branch: "trunk" });
    } finally {
      delete process.env.GIT_DIR;
    }
  });

  it("is not read from a pipe or from a huge file", async () => {
    const odd = mkdtempSync(join(tmpdir(), "odd git "));
    execFileSync("mkfifo", [join(odd, "HEAD"), join(odd, "commondir")]);
    writeFileSync(join(odd, ".git"), `gitdir: ${odd}\n`);
    expect(await findRepository(odd)).toEqual({ root: odd, gitDir: odd });
    expect(await readBranch(odd)).toBeUndefined();
    writeFileSync(join(odd, ".git"), `${"\n".repeat(1_000_000)}gitdir: ${odd}\n`);
    expect((await findRepository(odd))?.gitDir).not.toBe(odd);
    rmSync(odd, { recursive: true });
  });

  it("is absent outside a repository", async () => {
    const bare = mkdtempSync(join(tmpdir(), "no git "));
    expect(await readGitCounts(bare, environments, new NewFileLines())).toBeUndefined();
    expect(await findRepository(bare)).toBeUndefined();
    rmSync(bare, { recursive: true });
  });
});

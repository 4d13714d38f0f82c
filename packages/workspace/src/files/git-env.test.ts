import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sample } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileSearch } from "./file-search.ts";
import { countChangedFiles, readGitCounts } from "./git-diff-counts.ts";
import { GitEnvironments } from "./git-env.ts";
import { NewFileLines } from "./new-file-lines.ts";
import { workspaceFileList } from "./workspace-file-list.ts";

let base = "";
let root = "";
let trap = "";
const run = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, stdio: "pipe" });
const git = (...args: string[]) => run(root, ...args);
const sprung = () => existsSync(join(base, "sprung"));

let environments = new GitEnvironments();

beforeEach(() => {
  environments = new GitEnvironments();
  base = mkdtempSync(join(tmpdir(), "git env "));
  root = join(base, "clone");
  trap = join(base, "trap.sh");
  writeFileSync(trap, `#!/bin/sh\ntouch '${base}/sprung'\ncat\n`, { mode: 0o755 });
  run(base, "init", "-q", "-b", "trunk", root);
  writeFileSync(join(root, "a.txt"), "one\n");
  writeFileSync(join(root, ".gitattributes"), "*.txt filter=x diff=x\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  writeFileSync(join(root, "a.txt"), "two\n");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Everything that harness asks git when it opens a folder. */
async function look(): Promise<{ changed: number | undefined; counts: Awaited<ReturnType<typeof readGitCounts>> }> {
  const counts = await readGitCounts(root, environments, new NewFileLines());
  const changed = await countChangedFiles(root, environments, 5_000);
  await new FileSearch(root, workspaceFileList, () => 0).find("a", 5);
  (await workspaceFileList.watch(root, () => undefined))();
  return { changed, counts };
}
const whole = { changed: 1, counts: { branch: "trunk", added: 1, removed: 1, changedFiles: 1 } };

describe("the git environment of a repository", () => {
  it.each(
    sample(
      [
        ["a clean filter", ["filter.x.clean"]],
        ["a filter process", ["filter.x.process"]],
        ["filters under an odd name", ["filter.x.clean", "filter.a.b=c d.clean"]],
        ["a smudge filter", ["filter.x.smudge"]],
        ["textconv", ["diff.x.textconv"]],
        ["a diff driver", ["diff.x.command"]],
        ["external diff", ["diff.external"]],
        ["fsmonitor", ["core.fsmonitor"]],
        ["programs around git", ["core.pager", "core.sshCommand", "core.editor", "credential.helper"]],
      ],
      3,
    ),
  )("runs no program for %s", async (_name, keys) => {
    for (const key of keys) git("config", key, `'${trap}'`);
    if (keys[0]?.startsWith("filter")) git("config", "filter.x.required", "true");
    expect(await look()).toEqual(whole);
    expect(sprung()).toBe(false);
  });

  it("runs no git from a relative path entry", async () => {
    const before = process.env.PATH;
    writeFileSync(join(root, "git"), `#!/bin/sh\ntouch '${base}/sprung'\nexit 1\n`, { mode: 0o755 });
    try {
      process.env.PATH = `${root}:${before}`;
      expect((await look()).counts).toMatchObject({ branch: "trunk", changedFiles: 2 });
    } finally {
      process.env.PATH = before;
    }
    expect(sprung()).toBe(false);
  });

  it("runs no hooks", async () => {
    for (const name of ["post-index-change", "pre-commit", "fsmonitor-watchman"]) {
      writeFileSync(join(root, ".git/hooks", name), `#!/bin/sh\n'${trap}'\n`);
      chmodSync(join(root, ".git/hooks", name), 0o755);
    }
    expect(await look()).toEqual(whole);
    expect(sprung()).toBe(false);
  });

  it("runs no filter that an include adds, now or later", async () => {
    git("config", "include.path", "../more");
    writeFileSync(join(root, "more"), '[filter "x"]\n');
    await look();
    appendFileSync(join(root, "more"), `clean = "'${trap}'"\n`);
    expect((await look()).counts).toMatchObject({ changedFiles: 2 });
    expect(sprung()).toBe(false);
  });

  it("runs no filter that is configured after the first look", async () => {
    await look();
    git("config", "filter.x.clean", `'${trap}'`);
    expect(await look()).toEqual(whole);
    expect(sprung()).toBe(false);
  });

  it("runs no filter of one worktree's configuration", async () => {
    git("config", "extensions.worktreeConfig", "true");
    git("worktree", "add", "-q", join(base, "tree"));
    root = join(base, "tree");
    writeFileSync(join(root, "a.txt"), "two\n");
    await look();
    git("config", "--worktree", "filter.x.clean", `'${trap}'`);
    expect(await look()).toMatchObject({ changed: 1, counts: { branch: "tree", added: 1 } });
    expect(sprung()).toBe(false);
  });

  it("runs no program that a submodule configures", async () => {
    run(base, "init", "-q", join(base, "sub"));
    writeFileSync(join(base, "sub/b.txt"), "one\n");
    writeFileSync(join(base, "sub/.gitattributes"), "*.txt filter=x\n");
    run(join(base, "sub"), "add", "-A");
    run(join(base, "sub"), "commit", "-qm", "first");
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", join(base, "sub"), "sub");
    git("commit", "-qm", "sub");
    run(join(root, "sub"), "config", "core.fsmonitor", `'${trap}'`);
    run(join(root, "sub"), "config", "filter.x.clean", `'${trap}'`);
    writeFileSync(join(root, "sub/b.txt"), "two\n");
    writeFileSync(join(root, "a.txt"), "three\n");
    await look();
    expect(sprung()).toBe(false);
  });

  it("runs no command that fetches a missing part of a partial clone", async () => {
    const blob = String(git("rev-parse", "HEAD:a.txt")).trim();
    rmSync(join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    git("config", "core.repositoryFormatVersion", "1");
    git("config", "extensions.partialClone", "far");
    git("config", "remote.far.promisor", "true");
    git("config", "remote.far.url", base);
    git("config", "remote.far.uploadpack", `'${trap}'`);
    expect(await look()).toMatchObject({ changed: 1 });
    expect(sprung()).toBe(false);
  });

  it("runs no programs of git-lfs", async () => {
    git("config", "lfs.extension.x.clean", `'${trap}'`);
    expect(Object.values((await environments.withoutFilters(root, 5_000)) ?? {})).toContain("filter.lfs.process");
  });
});

describe("the person's own git filters", () => {
  it("stay in force, and an unchanged configuration is read once", async () => {
    expect(Object.values((await environments.withoutFilters(root, 5_000)) ?? {})).not.toContain("filter.lfs.process");
    // Nothing can be determined in this time, so the cached result is used.
    expect(await environments.withoutFilters(root, 1)).toBeDefined();
  });

  it("are not read when there are too many overrides for the environment of a process", async () => {
    const many = Array.from({ length: 200 }, (_, each) => `[filter "f${each}"]\nclean = cat\n`);
    appendFileSync(join(root, ".git/config"), many.join(""));
    expect(await look()).toEqual({ changed: undefined, counts: undefined });
  });
});

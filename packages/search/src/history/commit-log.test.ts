import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commitLogPath, isCommitLogOld, readCommitLog, updateCommitLog } from "./commit-log.ts";

let root = "";
let folder = "";
let log = "";
const env = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
};
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env, stdio: "pipe" });
function commit(subject: string, path: string, text: string, ...more: string[]): void {
  writeFileSync(join(folder, path), text);
  git("add", "-A");
  git("commit", "-q", "-m", subject, ...more);
}
const update = (cwd = folder) => updateCommitLog(log, { cwd, env });
const subjects = () => readCommitLog(log)?.commits.map(({ subject }) => subject);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "commit-log-"));
  folder = join(root, "work");
  log = commitLogPath(join(root, "index.db"));
  execFileSync("git", ["init", "-q", folder], { env });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("the commits of a folder", () => {
  it("are read once, then only the new ones", async () => {
    commit("One", "a.ts", "1");
    expect(await update()).toBe(true);
    expect(await update()).toBe(false);
    commit("Two", "ä b.ts", "2");
    expect(await update()).toBe(true);
    expect(subjects()).toEqual(["Two", "One"]);
    expect(readCommitLog(log)?.commits[0]?.files).toEqual([{ path: "ä b.ts" }]);
  });

  it("are read anew if the history was rewritten", async () => {
    commit("One", "a.ts", "1");
    commit("Two", "a.ts", "2");
    await update();
    commit("Zwei", "a.ts", "3", "--amend");
    await update();
    expect(subjects()).toEqual(["Zwei", "One"]);
  });

  it("are read anew from a damaged file", async () => {
    commit("One", "a.ts", "1");
    for (const damage of ["", "{", "[]", '{"version":0,"commits":[]}']) {
      writeFileSync(log, damage);
      expect(readCommitLog(log)).toBeUndefined();
      expect(await update()).toBe(true);
      expect(subjects()).toEqual(["One"]);
    }
  });

  it("have paths relative to the folder, and its renames", async () => {
    execFileSync("mkdir", [join(folder, "sub")]);
    commit("One", "sub/a.ts", "some text\n".repeat(20));
    commit("Outside", "b.ts", "2");
    git("mv", "sub/a.ts", "sub/c.ts");
    git("commit", "-q", "-m", "Move");
    await update(join(folder, "sub"));
    expect(readCommitLog(log)?.commits.map(({ subject, files }) => [subject, files])).toEqual([
      ["Move", [{ path: "c.ts", from: "a.ts" }]],
      ["One", [{ path: "a.ts" }]],
    ]);
  });

  it("are those of a shallow clone too", async () => {
    commit("One", "a.ts", "1");
    commit("Two", "a.ts", "2");
    const shallow = join(root, "shallow");
    execFileSync("git", ["clone", "-q", "--depth=1", `file://${folder}`, shallow], { env });
    await update(shallow);
    expect(subjects()).toEqual(["Two"]);
  });

  it("are none without commits, and forgotten without a repository", async () => {
    expect(await update()).toBe(false);
    commit("One", "a.ts", "1");
    await update();
    rmSync(join(folder, ".git"), { recursive: true });
    expect(await update()).toBe(false);
    expect(readCommitLog(log)).toBeUndefined();
  });

  it("stay as they are if git cannot be run", async () => {
    commit("One", "a.ts", "1");
    await update();
    expect(await updateCommitLog(log, { cwd: folder, env: { PATH: "/nonexistent" } })).toBe(false);
    expect(subjects()).toEqual(["One"]);
  });

  it("run nothing that the repository names", async () => {
    commit("One", "a.ts", "1");
    const mark = join(root, "ran");
    for (const setting of ["gpg.program", "core.pager", "diff.external", "core.fsmonitor"])
      git("config", setting, `touch ${mark}; false`);
    git("config", "log.showSignature", "true");
    expect(await update()).toBe(true);
    expect(() => execFileSync("ls", [mark], { stdio: "pipe" })).toThrow();
  });
});

it("says whether HEAD has moved since", async () => {
  const isOld = () => isCommitLogOld(log, { cwd: folder, env });
  expect(await isOld()).toBe(false);
  commit("One", "a.ts", "1");
  expect(await isOld()).toBe(true);
  await update();
  expect(await isOld()).toBe(false);
  git("commit", "-q", "--allow-empty", "-m", "Two");
  expect(await isOld()).toBe(true);
  expect(await isCommitLogOld(log, { cwd: folder, env: { PATH: "/nonexistent" } })).toBe(false);
});

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOnlyVerdict, readStrictLine } from "@harness/gate";
import { sample } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkedCommand } from "./checked-command.ts";

const path = process.env.PATH ?? "/usr/bin:/bin";
const hasGit = spawnSync("sh", ["-c", "command -v git bash"]).status === 0;

let top: string;
let work: string;
let trap: string;

function git(folder: string, ...args: string[]): void {
  const env = { PATH: path, HOME: top, GIT_CONFIG_NOSYSTEM: "1" };
  const words = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...args];
  execFileSync("git", words, { cwd: folder, env, stdio: "ignore" });
}

/** A repository whose settings start a program as soon as git looks at its files. */
function trapped(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q");
  writeFileSync(join(folder, "f.txt"), "f\n");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "first of another");
  git(folder, "config", "core.fsmonitor", `echo sprung >> ${trap}; false`);
  git(folder, "config", "filter.own.clean", `echo sprung >> ${trap}; cat`);
  writeFileSync(join(folder, ".gitattributes"), "* filter=own\n");
  writeFileSync(join(folder, "f.txt"), "g\n");
}

beforeAll(() => {
  if (!hasGit) return;
  top = realpathSync(mkdtempSync(join(tmpdir(), "harness-repositories-")));
  work = join(top, "work");
  trap = join(top, "sprung");
  mkdirSync(join(work, "src"), { recursive: true });
  git(work, "init", "-q");
  writeFileSync(join(work, "src/a.txt"), "a\n");
  git(work, "add", ".");
  git(work, "commit", "-qm", "first of ours");
  trapped(join(work, "nested"));
  trapped(join(top, "outside"));
  mkdirSync(join(work, "pointing/deep"), { recursive: true });
  writeFileSync(join(work, "pointing/.git"), `gitdir: ${join(top, "outside/.git")}\n`);
  git(work, "clone", "-q", "--bare", join(top, "outside"), join(work, "bare"));
  git(work, "submodule", "--quiet", "add", join(top, "outside"), "module");
});
afterAll(() => {
  if (hasGit) rmSync(top, { recursive: true, force: true });
});

/** The output of git, or why it is not run, with the setting in the session's own repository. */
async function withSetting(name: string, value: string, command: string): Promise<string> {
  git(work, "config", name, value);
  try {
    const checked = await checkedCommand(lineOf(command), place());
    if ("problem" in checked) return checked.problem;
    const end = spawnSync("bash", ["-c", checked.script], { cwd: work, env: checked.env, encoding: "utf8" });
    return end.stdout + end.stderr;
  } finally {
    git(work, "config", "--unset", name);
  }
}

const place = () => ({ cwd: work, roots: [work], env: { PATH: path, HOME: top } });
function lineOf(command: string) {
  const line = readStrictLine(command);
  if ("outside" in line) throw new Error(line.outside);
  return line;
}

describe.skipIf(!hasGit)("git in another folder of the workspace", () => {
  it("shows the repository of the workspace", async () => {
    for (const command of ["cd src && git log --oneline", "git -C src log --oneline", "cd src && git -C . log"]) {
      const checked = await checkedCommand(lineOf(command), place());
      if ("problem" in checked) throw new Error(checked.problem);
      const { stdout } = spawnSync("bash", ["-c", checked.script], { cwd: work, env: checked.env, encoding: "utf8" });
      expect(stdout).toContain("first of ours");
    }
  });

  it.each(sample(["nested", "pointing", "pointing/deep", "bare", "module"], 2))(
    "is not run unasked in %s",
    async (folder) => {
      for (const command of [`cd ${folder} && git log -p`, `git -C ${folder} status`, `cd ${folder}; git diff`]) {
        const verdict = readOnlyVerdict(lineOf(command), { cwd: work, enter: realpathSync, exists: existsSync });
        expect(verdict).toHaveProperty("reason");
        expect(await checkedCommand(lineOf(command), place())).toHaveProperty("problem");
      }
      expect(existsSync(trap)).toBe(false);
    },
  );

  it("is not run in a folder that became a repository after the approval", async () => {
    const line = lineOf("cd src && git status");
    expect(await checkedCommand(line, place())).toHaveProperty("script");
    cpSync(join(work, "nested/.git"), join(work, "src/.git"), { recursive: true });
    expect(await checkedCommand(line, place())).toHaveProperty("problem");
    renameSync(join(work, "src/.git"), join(top, "taken"));
  });

  it("would have run the program that such a repository names", () => {
    git(join(work, "nested"), "status");
    expect(existsSync(trap)).toBe(true);
  });
});

describe.skipIf(!hasGit)("repository settings that name other files", () => {
  it.each(
    sample(
      [
        ["blame.ignoreRevsFile", "git blame src/a.txt"],
        ["core.attributesFile", "git log -p"],
        ["core.excludesFile", "git check-ignore -v --no-index ."],
        ["mailmap.file", "git log --format=%aN"],
      ],
      1,
    ),
  )("do not reveal a file elsewhere: %s", async (name, command) => {
    const file = join(top, "elsewhere.txt");
    writeFileSync(file, "hidden\nx hidden= y\n* hidden= y\nhidden <a@b>\n");
    for (const value of [file, "../elsewhere.txt"])
      expect(await withSetting(name, value, command)).not.toMatch(/hidden|elsewhere\.txt/);
  });

  it("do not list a folder elsewhere", async () => {
    for (const folder of [join(top, "outside"), "/", "../.."])
      expect(await withSetting("core.worktree", folder, "git ls-files -o")).toContain("core.worktree leads elsewhere");
    expect(await withSetting("core.worktree", "..", "git ls-files src")).toBe("src/a.txt\n");
    expect(await withSetting("core.worktree", work, "git ls-files src")).toBe("src/a.txt\n");
  });

  it("apply a file of the workspace", async () => {
    writeFileSync(join(work, "passed-over"), "left-out\n");
    for (const file of ["passed-over", join(work, "passed-over")])
      expect(await withSetting("core.excludesFile", file, "git check-ignore --no-index left-out")).toBe("left-out\n");
  });
});

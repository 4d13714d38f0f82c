import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GitEnvironments } from "../files/git-env.ts";
import { readNewCommits } from "../files/new-commits.ts";
import { readOverview } from "./folder-overview.ts";

let home = "";
let cwd = "";
const environments = new GitEnvironments();

/** git at a time in the past, as in its reflog. */
function git(date: string, ...args: string[]): void {
  const person = {
    GIT_AUTHOR_NAME: "Ann",
    GIT_COMMITTER_NAME: "Ann",
    GIT_AUTHOR_EMAIL: "a@x",
    GIT_COMMITTER_EMAIL: "a@x",
  };
  const env = { PATH: process.env.PATH, HOME: home, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, ...person };
  execFileSync("git", args, { cwd, env, stdio: "ignore" });
}

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "overview-")));
  cwd = join(home, "project");
  mkdirSync(cwd);
  git("2026-11-01T10:00:00Z", "init", "-b", "main");
  for (const [day, words] of [
    ["01", "First"],
    ["10", "Second"],
    ["11", "Third"],
    ["12", "Fourth \u001b[31m"],
    ["13", "Fifth"],
  ])
    git(`2026-11-${day}T10:00:00Z`, "commit", "--allow-empty", "-m", words ?? "");
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it("the commits since a visit are counted, and the newest are named", async () => {
  expect(await readNewCommits(cwd, "2026-11-05T00:00:00.000Z", environments)).toEqual({
    count: 4,
    more: false,
    authors: ["Ann"],
    subjects: ["Fifth", "Fourth \u001b[31m", "Third"],
  });
  expect(await readNewCommits(cwd, "2026-11-20T00:00:00.000Z", environments)).toMatchObject({ count: 0, subjects: [] });
});

it("nothing is said of commits outside a repository, or since no time", async () => {
  expect(await readNewCommits(home, "2026-11-05T00:00:00.000Z", environments)).toBeUndefined();
  expect(await readNewCommits(cwd, "--output=x", environments)).toBeUndefined();
});

it("asking for commits runs no program that the repository names", async () => {
  const mark = join(home, "ran");
  const program = join(home, "program.sh");
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  for (const [key, value] of [
    ["log.showSignature", "true"],
    ["gpg.program", program],
    ["core.pager", program],
    ["core.fsmonitor", program],
  ])
    git("2026-11-14T10:00:00Z", "config", key ?? "", value ?? "");
  expect(await readNewCommits(cwd, "2026-11-05T00:00:00.000Z", environments)).toMatchObject({ count: 4 });
  expect(() => execFileSync("ls", [mark], { stdio: "ignore" })).toThrow();
});

it("instruction files are named from the folder or from home, with those that are not trusted", async () => {
  const files = [
    { path: join(home, ".config/AGENTS.md"), text: "x" },
    { path: join(cwd, "docs/AGENTS.md"), text: "x", untrusted: true as const },
    { path: "/etc/AGENTS.md", text: "x" },
  ];
  const parts = { instructionFiles: async () => files, gitEnvironments: environments, home };
  expect(await readOverview(cwd, undefined, parts)).toEqual({
    instructions: [
      { path: "~/.config/AGENTS.md" },
      { path: "docs/AGENTS.md", untrusted: true },
      { path: "/etc/AGENTS.md" },
    ],
    isEmpty: true,
  });
});

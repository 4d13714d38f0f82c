import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { realSandbox } from "../../test/available-sandbox.ts";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createBash } from "../bash.ts";
import { isHarmlessConfig } from "./git-config-file.ts";

const { sandbox, missing } = await realSandbox();
const bash = createBash({ timeoutMs: 15_000, extraEnv: {}, sandbox });

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());
afterAll(() => sandbox.close());

const run = (command: string) => trial.run(bash, { command }, { sandboxed: true });
const path = (name: string) => join(trial.root, name);
const git = (...args: string[]) => execFileSync("git", ["-C", trial.root, ...args], { stdio: "pipe" }).toString();

describe.skipIf(missing !== "")(`what a contained command leaves for others to run${missing}`, () => {
  it.each([
    ["sub/.envrc", "mkdir -p sub && echo x > sub/.envrc"],
    ["a/b/c/d/e/.npmrc", "mkdir -p a/b/c/d/e && echo x > a/b/c/d/e/.npmrc"],
    ["sub/.vscode", "mkdir -p sub/.vscode && echo {} > sub/.vscode/tasks.json"],
    ["sub/.husky", "mkdir -p sub/.husky && echo x > sub/.husky/pre-commit"],
    ["sub/.mcp.json", "echo {} > sub/.mcp.json"],
    ["sub/.MCP.json", "echo {} > sub/.MCP.json"],
    ["moved/.envrc", "mkdir /tmp/made && echo x > /tmp/made/.envrc && mv /tmp/made moved"],
    ["renamed/deep/.envrc", "mkdir -p new/deep && echo x > new/deep/.envrc && mv new renamed"],
    ["sub/.envrc", "echo x > plain && ln plain sub/.envrc"],
    ["sub/.vscode", "mkdir other && ln -s ../other sub/.vscode"],
    ["sub/.envrc", "ln -s /etc/hosts sub/.envrc"],
    ["sub/inner/.envrc", "rm -r sub/inner && mkdir sub/inner && echo x > sub/inner/.envrc"],
    ["sub/inner/.envrc", "echo x > sub/inner/.envrc && touch -d 2020-01-01 sub/inner sub/inner/.envrc"],
    ["sub/.githooks", "mkdir sub/.githooks && echo x > sub/.githooks/pre-commit"],
    [".githooks", "mkdir .githooks && echo x > .githooks/pre-commit"],
    ["Jenkinsfile", "echo x > Jenkinsfile"],
    ["my.code-workspace", "echo {} > my.code-workspace"],
  ])("is moved away, wherever it is: %s", async (place, command) => {
    mkdirSync(path("sub/inner"), { recursive: true });
    const { text } = await run(command);
    expect(text).toContain(`${path(place)}.set-aside`);
    expect(existsSync(path(place))).toBe(false);
    expect((await run("true")).text).not.toContain("set-aside");
  });

  it("leaves what was there, what is ordinary, and what node_modules brings", async () => {
    trial.file("sub/.envrc", "old");
    const { text } = await run(
      "mkdir -p node_modules/x/.vscode lib && echo x > lib/a.ts && echo x > node_modules/x/.npmrc && touch GNUmakefile",
    );
    expect(text).not.toContain("moved aside");
    expect(trial.text("sub/.envrc")).toBe("old");
  });

  it("does not let a deep file that was there be changed or replaced", async () => {
    trial.file("a/b/c/d/e/f/.envrc", "old");
    const { text } = await run("echo bad > a/b/c/d/e/f/.envrc; rm -f a/b/c/d/e/f/.envrc; mv a z");
    expect(text).toMatch(/Read-only file system|busy/);
    expect(trial.text("a/b/c/d/e/f/.envrc")).toBe("old");
  });

  it("keeps a new repository, without its hooks and settings that name programs", async () => {
    const { text } = await run(
      "git init -q fresh && git -C fresh config user.name me && git init -q evil && git -C evil config core.fsmonitor /tmp/x" +
        " && mkdir -p evil/.git/hooks && echo x > evil/.git/hooks/pre-commit && git init -q --bare bare" +
        " && git -C bare config alias.x '!id'",
    );
    expect(readdirSync(path("fresh/.git"))).toContain("config");
    expect(readdirSync(path("evil/.git"))).toEqual(expect.arrayContaining(["HEAD", "config.set-aside"]));
    expect(existsSync(path("evil/.git/config"))).toBe(false);
    expect(existsSync(path("evil/.git/hooks/pre-commit"))).toBe(false);
    expect(existsSync(path("bare/config"))).toBe(false);
    expect(text).toContain("evil/.git/config.set-aside");
    expect(text).not.toContain("fresh/");
  });

  it("keeps a clone and a worktree of the repository, and not a `.git` file that leads elsewhere", async () => {
    git("init", "-q");
    trial.file("a", "a");
    git("add", "a");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a");
    const { text } = await run(
      "git clone -q . copy && git worktree add -q tree -b other && git init -q --bare odd.git && mkdir lead && echo 'gitdir: ../odd.git' > lead/.git",
    );
    expect(existsSync(path("copy/.git/config"))).toBe(true);
    expect(existsSync(path("tree/.git"))).toBe(true);
    expect(existsSync(path(".git/worktrees/tree/commondir"))).toBe(true);
    expect(existsSync(path("lead/.git"))).toBe(false);
    expect(text).toContain("lead/.git.set-aside");
    await run("mkdir -p .git/worktrees/bad && echo ../../../evil > .git/worktrees/bad/commondir");
    expect(existsSync(path(".git/worktrees/bad/commondir"))).toBe(false);
  });

  it("moves a list of things to do away that runs commands, and leaves a plain one", async () => {
    git("init", "-q");
    trial.file(".git/rebase-merge/git-rebase-todo", "pick 1\nexec make test\n");
    expect((await run("echo 'pick 2' >> .git/rebase-merge/git-rebase-todo")).text).not.toContain("set-aside");
    const { text } = await run("echo 'exec touch /tmp/pwn' >> .git/rebase-merge/git-rebase-todo");
    expect(text).toContain("git-rebase-todo.set-aside");
    expect((await run("mkdir .git/sequencer && echo 'x id' > .git/sequencer/todo")).text).toContain("todo.set-aside");
    expect((await run("mkdir -p .git/objects/info && echo /x > .git/objects/info/alternates")).text).toContain(
      "alternates.set-aside",
    );
  });

  it("hides every secret name at any depth, and knows what is not secret", async () => {
    const secrets = [
      "server.pem",
      "id_rsa",
      "credentials.json",
      "a/b/c/d/e/.env",
      "x/.aws/config",
      "deep/d/e/f/my.kdbx",
    ];
    for (const name of secrets) trial.file(name, "SECRET");
    trial.file(".npmrc", "//registry.example.com/:_authToken=SECRET");
    for (const name of ["sub/.npmrc", "id_map/a.ts", "src/credentials/b.ts", ".env.example"]) trial.file(name, "plain");
    const { text } = await run(
      `cat ${secrets.join(" ")} .npmrc; cat sub/.npmrc id_map/a.ts src/credentials/b.ts .env.example`,
    );
    expect(text).not.toContain("SECRET");
    expect(text).toContain("plainplainplainplain");
  });

  it("is refused where not everything can be looked at", async () => {
    for (let number = 0; number < 301; number++) trial.file(`certs/${number}.pem`);
    const { status, text } = await run("touch ran");
    expect(status).toBe("error");
    expect(text).toMatch(/more than 300 files that may hold secrets\. If it is needed, run it with outside_sandbox/);
    expect(existsSync(path("ran"))).toBe(false);
  });
});

describe("a configuration of git", () => {
  it.each([
    ["", true],
    ["[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n", true],
    [
      '[remote "origin"]\n\turl = /a/b\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n remote = origin\n',
      true,
    ],
    ["[user]\nname = a b\nemail = a@b\n[commit]\ngpgsign = false\n", true],
    ["# a comment\n[core] bare = true\n", true],
    ["[core]\nfsmonitor = x\n", false],
    ["[CORE] fsMonitor = x", false],
    ["[core]\nhooksPath = x\n", false],
    ["[alias]\nx = !id\n", false],
    ["[include]\npath = ../x\n", false],
    ['[includeIf "gitdir:/"]\npath = x\n', false],
    ['[filter "x"]\nclean = id\n', false],
    ['[diff "x"]\ntextconv = id\n', false],
    ['[remote "o"]\nurl = ext::sh -c id\n', false],
    ['[remote "o"]\nuploadpack = id\n', false],
    ['[merge "x"]\ndriver = id\n', false],
    ["[gpg]\nprogram = id\n", false],
    ["[commit]\ngpgsign = true\n", false],
    ["[credential]\nhelper = x\n", false],
    ["[core]\nbare = false \\\n", false],
    ["[core\nbare = true\n", false],
    ["fsmonitor = x", false],
    ["[core]\nsshCommand = id\n", false],
    ["[core]\nbare = true\u0000[core]\nfsmonitor = x", false],
    ["[pager]\nlog = id\n", false],
    ["[push]\ndefault = simple\n", true],
    ["[rebase]\nautosquash = true\n", true],
    ["[receive]\nprocReceiveRefs = x\n", false],
  ])("names programs or not: %j, harmless: %s", (text, expected) => {
    expect(isHarmlessConfig(text)).toBe(expected);
  });
});

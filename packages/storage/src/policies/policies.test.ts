import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PolicyFile, type PolicyRule } from "@harness/gate";
import { fileStamp } from "@harness/host";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPolicies, type PolicyText } from "./open-policies.ts";
import { policyPaths, projectOf } from "./policy-paths.ts";

let base = "";
let cwd = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "policies-")));
  cwd = join(base, "repo", "deep");
  mkdirSync(cwd, { recursive: true });
  mkdirSync(join(base, "repo", ".git"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const root = () => join(base, "home");
const files = (folder = cwd) => policyPaths({ root: root() }, folder);

/** Stands in for core's reading, which has tests of its own. */
function read(text: string): PolicyText {
  const broken = (problem: string) => ({ rules: [], problems: [problem], everythingAsks: true });
  try {
    const file = PolicyFile.safeParse(JSON.parse(text));
    return file.success ? { rules: file.data.rules, problems: [], everythingAsks: false } : broken("It is wrong.");
  } catch {
    return broken("It is not JSON.");
  }
}
const untrusted = (): boolean => false;
const open = ({ folder = cwd, trusted = untrusted } = {}) =>
  openPolicies({
    configPaths: { root: root() },
    cwd: folder,
    clock: { now: () => Date.parse("2026-11-22T10:00:00Z") },
    stampOf: fileStamp,
    read,
    trusted,
  });
function put(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
}
const fileOf = (...rules: PolicyRule[]) => ({ version: 1, rules });
const allow = (...argv: string[]): PolicyRule => ({ decision: "allow", tool: "bash", argv });
const deny = (...argv: string[]): PolicyRule => ({ decision: "deny", tool: "bash", argv });
const isOwner = process.getuid?.() === 0;

it("path patterns start from the root of the repository, even in a folder of it", () => {
  expect(open().base).toBe(join(base, "repo"));
  expect(open({ folder: base }).base).toBe(base);
});

it("kept answers are stored in the file of the project, outside the repository", () => {
  const policies = open();
  const kept = policies.keep([allow("npm", "test")]);
  expect("kept" in kept && kept.kept[0]?.path).toBe(files().project);
});

describe("the project of a folder", () => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.hooksPath=/dev/null", ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: base, GIT_CONFIG_GLOBAL: "/dev/null" },
      stdio: "pipe",
    });

  it("is the repository that contains it, by its real path, or the folder itself", () => {
    symlinkSync(cwd, join(base, "link"));
    expect(projectOf(join(base, "link"))).toEqual({ top: join(base, "repo"), project: join(base, "repo") });
    mkdirSync(join(base, "plain"));
    expect(projectOf(join(base, "plain"))).toEqual({ top: join(base, "plain"), project: join(base, "plain") });
    expect(files().project).toMatch(/home\/projects\/[0-9a-f]{64}\.json$/);
    expect(files().repository).toBe(join(base, "repo", ".harness", "policies.json"));
  });

  it("is the same for all worktrees with their own repository files", () => {
    const repo = join(base, "real");
    mkdirSync(repo);
    git(repo, "init", "-q");
    git(repo, "commit", "-q", "--allow-empty", "-m", "x");
    git(repo, "worktree", "add", "-q", "../tree");
    const tree = join(base, "tree");
    expect(projectOf(tree)).toEqual({ top: tree, project: repo });
    expect(files(tree).project).toBe(files(repo).project);
    expect(files(tree).repository).toBe(join(tree, ".harness", "policies.json"));
  });

  it("is not another repository that the folder merely points to", () => {
    const repo = join(base, "real");
    mkdirSync(repo);
    git(repo, "init", "-q");
    git(repo, "commit", "-q", "--allow-empty", "-m", "x");
    git(repo, "worktree", "add", "-q", "../tree");
    const thief = join(base, "thief");
    put(join(thief, ".git"), readFileSync(join(base, "tree", ".git"), "utf8"));
    expect(projectOf(thief)).toEqual({ top: thief, project: thief });
    put(join(base, "odd", ".git"), "gitdir: /nowhere\n");
    expect(projectOf(join(base, "odd")).project).toBe(join(base, "odd"));
    mkdirSync(join(base, "pipe"));
    execFileSync("mkfifo", [join(base, "pipe", ".git")]);
    expect(projectOf(join(base, "pipe")).project).toBe(join(base, "pipe"));
    mkdirSync(join(base, "circle"));
    symlinkSync(".git", join(base, "circle", ".git"));
    expect(projectOf(join(base, "circle")).project).toBe(join(base, "circle"));
  });
});

describe("policies in force", () => {
  it("come from the files of the user, the project and the repository", () => {
    put(files().user, fileOf(allow("npm", "test")));
    put(files().project, fileOf(allow("make")));
    put(files().repository, fileOf(deny("git", "push")));
    const { rules, problems, everythingAsks } = open().current();
    expect(rules.map(({ scope, rule }) => [scope, rule.argv?.join(" ")])).toEqual([
      ["user", "npm test"],
      ["project", "make"],
      ["repository", "git push"],
    ]);
    expect({ problems, everythingAsks }).toEqual({ problems: [], everythingAsks: false });
  });

  it("are empty without files, and no file is created", () => {
    expect(open().current()).toMatchObject({ rules: [], problems: [], everythingAsks: false });
    expect(existsSync(root())).toBe(false);
  });

  it("allow nothing from a repository until it is trusted", () => {
    put(files().repository, fileOf(allow("make"), deny("git", "push"), { decision: "ask", tool: "write" }));
    let trusted = false;
    const policies = open({ trusted: () => trusted });
    const before = policies.current();
    expect(before.rules.map(({ rule }) => rule.decision)).toEqual(["deny", "ask"]);
    expect(before.problems).toEqual([
      expect.stringMatching(/policies\.json: 1 rule that allows is not in force until/),
    ]);
    trusted = true;
    const after = policies.current();
    expect(after.rules.map(({ rule }) => rule.decision)).toEqual(["allow", "deny", "ask"]);
    expect(after.problems).toEqual([]);
    expect(after.version).not.toBe(before.version);
  });

  it("are read once while nothing changes, and again after every change", () => {
    let reads = 0;
    const policies = openPolicies({
      configPaths: { root: root() },
      cwd,
      clock: Date,
      stampOf: fileStamp,
      trusted: () => false,
      read: (text) => {
        reads += 1;
        return read(text);
      },
    });
    put(files().user, fileOf(allow("a")));
    const long = new Date(Date.now() - 60_000);
    const versions = [policies.current().version];
    // Its times say that it was just changed: it may change again without them telling.
    policies.current();
    expect(reads).toBe(2);
    put(files().user, fileOf(allow("b")));
    versions.push(policies.current().version);
    utimesSync(files().user, long, long);
    rmSync(files().user);
    versions.push(policies.current().version);
    const set = policies.current();
    expect(policies.current()).toBe(set);
    expect(new Set(versions).size).toBe(3);
  });

  it("are read once when the user file is also the repository file", () => {
    const folder = join(base, "dotfiles");
    put(join(folder, ".harness", "policies.json"), fileOf(allow("a")));
    const policies = openPolicies({
      configPaths: { root: join(folder, ".harness") },
      cwd: folder,
      clock: Date,
      stampOf: fileStamp,
      trusted: () => false,
      read,
    });
    expect(policies.current().rules.map(({ scope }) => scope)).toEqual(["user"]);
  });
});

describe("an unusable policy file that makes every call ask", () => {
  const kinds = ["user", "project", "repository"] as const;
  const forms: [string, string | Uint8Array, string][] = [
    ["no JSON", '{"version":1,"rules":[', "not JSON"],
    ["empty", "", "not JSON"],
    ["a list", "[]", "wrong"],
    ["another version", '{"version":2,"rules":[]}', "wrong"],
    ["an unknown key", '{"version":1,"rules":[],"more":1}', "wrong"],
    ["wrong types", '{"version":1,"rules":[{"decision":"deny","tool":5}]}', "wrong"],
    ["not UTF-8", new Uint8Array([0xff, 0xfe, 0x00]), "not UTF-8"],
    [
      "a sign that is none",
      Buffer.from('{"version":1,"rules":[{"decision":"deny","tool":"b\xe4"}]}', "latin1"),
      "not UTF-8",
    ],
    ["a name twice", '{"version":1,"rules":[{"decision":"deny","tool":"bash"}],"rules":[]}', "twice"],
    ["too large", `{"version":1,"rules":[],"x":"${"x".repeat(1_100_000)}"}`, "larger than 1 MB"],
  ];
  for (const kind of kinds) {
    it.each(forms)(
      `is reported and left as it is when the ${kind} file has this fault: %s`,
      (_name, content, words) => {
        const path = files()[kind];
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content, { mode: 0o600 });
        const policies = open();
        const { problems, everythingAsks } = policies.current();
        expect(everythingAsks).toBe(true);
        expect(problems).toEqual([expect.stringContaining(words)]);
        expect(problems[0]).toContain(path);
        if (kind === "project") {
          expect(policies.keep([allow("x")])).toMatchObject({ problem: expect.stringContaining("Nothing was saved") });
        }
        expect(readFileSync(path)).toEqual(Buffer.from(content));
        expect(readdirSync(dirname(path)).filter((name) => name !== "projects")).toEqual([path.split("/").at(-1)]);
      },
    );
  }

  it.each<[string, (path: string) => void, string]>([
    ["a folder", (path) => mkdirSync(path, { recursive: true }), "not a regular file"],
    ["a named pipe", (path) => execFileSync("mkfifo", [path]), "not a regular file"],
    ["a link to nothing", (path) => symlinkSync("/nowhere/at/all", path), "Could not read the policies"],
    ["open to all", (path) => writeWithMode(path, 0o666), "chmod go-w"],
    ["open to all others", (path) => writeWithMode(path, 0o602), "chmod go-w"],
  ])("is reported when it is %s", (_name, make, words) => {
    const path = files().user;
    mkdirSync(dirname(path), { recursive: true });
    make(path);
    expect(open().current()).toMatchObject({
      everythingAsks: true,
      rules: [],
      problems: [expect.stringContaining(words)],
    });
    expect(open().add("user", [allow("x")])).toHaveProperty("problem");
  });

  it.runIf(isOwner)("is reported when it belongs to another user", () => {
    put(files().user, fileOf(allow("a")));
    execFileSync("chown", ["12345", files().user]);
    expect(open().current()).toMatchObject({
      everythingAsks: true,
      problems: [expect.stringContaining("belongs to another user")],
    });
  });

  it("is not a repository file that others can write, since its permissions need trust anyway", () => {
    put(files().repository, fileOf(deny("a")));
    chmodSync(files().repository, 0o666);
    expect(open().current()).toMatchObject({ everythingAsks: false, rules: [{ scope: "repository" }] });
  });
});

function writeWithMode(path: string, mode: number): void {
  writeFileSync(path, JSON.stringify(fileOf(allow("a"))));
  chmodSync(path, mode);
}

describe("the policy store", () => {
  it("writes each rule once for the project, with its time, for this user only", () => {
    const policies = open();
    const first = policies.keep([allow("npm", "test"), deny("rm")]);
    expect(first).toMatchObject({
      kept: [{ scope: "project", path: files().project }, { rule: { decision: "deny" } }],
    });
    expect(policies.keep([{ ...allow("npm", "test"), why: "again" }])).toMatchObject({
      kept: [{ rule: { argv: ["npm", "test"] } }],
    });
    expect(JSON.parse(readFileSync(files().project, "utf8"))).toEqual(
      fileOf(
        { ...allow("npm", "test"), created: "2026-11-22T10:00:00.000Z" },
        { ...deny("rm"), created: "2026-11-22T10:00:00.000Z" },
      ),
    );
    expect(statSync(files().project).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(files().project)).mode & 0o777).toBe(0o700);
    expect(policies.current().rules).toHaveLength(2);
    expect(
      open()
        .current()
        .rules.map(({ ruleId }) => ruleId),
    ).toEqual("kept" in first ? first.kept.map(({ ruleId }) => ruleId) : []);
  });

  it("removes a rule of the user or the project by its id, and none of the repository", () => {
    put(files().repository, fileOf(deny("a")));
    const policies = open();
    policies.add("user", [allow("make")]);
    policies.keep([allow("make")]);
    const [user, project, repository] = policies.current().rules;
    expect(user?.ruleId).not.toBe(project?.ruleId);
    expect(policies.remove(user?.ruleId ?? "")).toMatchObject({ removed: { scope: "user", rule: { argv: ["make"] } } });
    expect(policies.remove(user?.ruleId ?? "")).toBeUndefined();
    expect(policies.remove(repository?.ruleId ?? "")).toBeUndefined();
    expect(policies.current().rules.map(({ scope }) => scope)).toEqual(["project", "repository"]);
  });

  it("keeps the last five versions beside the file", () => {
    const policies = open();
    for (let n = 0; n < 9; n += 1) policies.keep([allow(`c${n}`)]);
    const folder = dirname(files().project);
    const name = files().project.split("/").at(-1) ?? "";
    expect(readdirSync(folder).sort()).toEqual([name, ...[1, 2, 3, 4, 5].map((n) => `${name}.backup-${n}`)]);
    const counts = [1, 2, 3, 4, 5].map(
      (n) => JSON.parse(readFileSync(`${files().project}.backup-${n}`, "utf8")).rules.length,
    );
    expect(counts).toEqual([8, 7, 6, 5, 4]);
    expect(statSync(`${files().project}.backup-1`).mode & 0o777).toBe(0o600);
  });

  it("refuses an invalid rule, and reports where the disk fails", () => {
    expect(open().keep([{ decision: "allow", tool: "" }])).toEqual({
      problem: "The rule cannot be saved. It is wrong.",
    });
    expect(existsSync(files().project)).toBe(false);
    rmSync(root(), { recursive: true });
    writeFileSync(root(), "");
    expect(open().keep([allow("x")])).toMatchObject({
      problem: expect.stringContaining("Could not save the policies"),
    });
  });

  it("keeps a link to a file elsewhere", () => {
    put(join(base, "dotfiles", "p.json"), fileOf(allow("a")));
    mkdirSync(root());
    symlinkSync(join(base, "dotfiles", "p.json"), files().user);
    open().add("user", [allow("b")]);
    expect(JSON.parse(readFileSync(join(base, "dotfiles", "p.json"), "utf8")).rules).toHaveLength(2);
    expect(readdirSync(root())).toEqual(["policies.json"]);
  });

  it("keeps the rules that two processes add at the same moment", async () => {
    const module = new URL("open-policies.ts", import.meta.url).href;
    const keeper = (name: string) =>
      spawn(
        process.execPath,
        [
          "--input-type=module",
          "-e",
          `import { fileStamp } from "@harness/host";
           import { openPolicies } from ${JSON.stringify(module)};
           const read = (text) => ({ rules: JSON.parse(text).rules, problems: [], everythingAsks: false });
           const policies = openPolicies({ configPaths: { root: ${JSON.stringify(root())} }, cwd: ${JSON.stringify(cwd)}, clock: Date, stampOf: fileStamp, read, trusted: () => false });
           process.stdout.write("ready");
           await new Promise((go) => process.stdin.once("data", go));
           for (let n = 0; n < 20; n += 1) {
             const kept = policies.keep([{ decision: "allow", tool: "bash", argv: ["${name}" + n] }]);
             if ("problem" in kept) throw new Error(kept.problem);
           }
           process.exit(0);`,
        ],
        { stdio: ["pipe", "pipe", "inherit"] },
      );
    const both = [keeper("a"), keeper("b")];
    await Promise.all(both.map((each) => once(each.stdout, "data")));
    for (const each of both) each.stdin.write("go");
    const codes = await Promise.all(both.map(async (each) => (await once(each, "exit"))[0]));
    expect(codes).toEqual([0, 0]);
    expect(open().current().rules).toHaveLength(40);
    expect(readdirSync(dirname(files().project)).filter((name) => /lock|tmp/.test(name))).toEqual([]);
  });
});

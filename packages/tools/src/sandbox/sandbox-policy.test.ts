import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { PlaceholderFolders } from "./placeholder-folders.ts";
import { rootFinds, sandboxPolicy } from "./sandbox-policy.ts";
import { WorkspaceWalk } from "./workspace-walk.ts";

let trial: Trial;
let home: string;
let configFolder: string;
beforeEach(() => {
  trial = createTrial();
  home = join(dirname(trial.root), "home");
  configFolder = join(home, ".config/harness");
  mkdirSync(configFolder, { recursive: true });
});
afterEach(() => trial.remove());

const placeholders = new PlaceholderFolders();
const findsIn = (root: string) => rootFinds(root, new WorkspaceWalk(root), (path) => placeholders.has(path));
const policyOf = (...roots: string[]) => sandboxPolicy({ roots, home, configFolder }, findsIn);
const inRoot = (paths: readonly string[]) =>
  paths.filter((path) => path.startsWith(`${trial.root}/`)).map((path) => path.slice(trial.root.length + 1));

it("the sandbox policy protects the files that the gate protects, at any depth, and those that git would run", async () => {
  for (const name of [".npmrc", ".vscode/tasks.json", "a/b/.envrc", "sub/.git/config", "node_modules/x/.npmrc"]) {
    trial.file(name);
  }
  trial.file(".git/config");
  trial.file(".git/hooks/x");
  for (const name of ["HEAD", "config"]) trial.file(`.git/modules/m/${name}`);
  const policy = await policyOf(trial.root);
  expect(inRoot(policy.fixed).sort()).toEqual(
    [".git/config", ".git/hooks", ".git/modules/m/config", ".npmrc", ".vscode", "a/b/.envrc", "sub/.git/config"].sort(),
  );
  expect(inRoot(policy.vacant).sort()).toEqual(
    [".devcontainer", ".harness", ".husky", ".idea", ".git/modules/m/hooks", "sub/.git/hooks"].sort(),
  );
  expect(inRoot(policy.watched)).toContain(".mcp.json");
  expect(inRoot(policy.watched)).not.toContain(".npmrc");
});

it("the sandbox policy protects worktrees, and submodules with paths as names", async () => {
  for (const name of ["libs/a", "libs/a/modules/b"]) trial.file(`.git/modules/${name}/HEAD`);
  for (const name of ["libs/a/hooks/x", "libs/a/modules/b/config"]) trial.file(`.git/modules/${name}`);
  trial.file(".git/worktrees/w/commondir");
  const policy = await policyOf(trial.root);
  const places = ["modules/libs/a/hooks", "modules/libs/a/modules/b/config", "worktrees/w/commondir"];
  expect(inRoot(policy.fixed)).toEqual(expect.arrayContaining(places.map((name) => `.git/${name}`)));
  expect(inRoot(policy.vacant)).toContain(".git/modules/libs/a/modules/b/hooks");
  const files = ["config.worktree", "commondir", "worktrees/w/config.worktree", "modules/libs/a/commondir"];
  expect(inRoot(policy.watched)).toEqual(expect.arrayContaining(files.map((name) => `.git/${name}`)));
});

it("the sandbox policy protects the folder of all submodules when there are very many", async () => {
  for (let number = 0; number < 70; number++) trial.file(`.git/modules/m${number}/HEAD`);
  expect(inRoot((await policyOf(trial.root)).fixed)).toEqual([".git/modules"]);
});

it("the sandbox policy needs one mount for each of very many repositories", async () => {
  for (let number = 0; number < 40; number++) trial.file(`r${number}/.git/config`);
  trial.file(".git/config");
  const fixed = inRoot((await policyOf(trial.root)).fixed);
  expect(fixed).toHaveLength(41);
  expect(fixed).toEqual(expect.arrayContaining([".git/config", "r0/.git", "r39/.git"]));
});

it("the sandbox policy watches the login files when the workspace is the home folder", async () => {
  const { watched } = await policyOf(home);
  expect(watched).toEqual(expect.arrayContaining([".bash_profile", ".config/systemd"].map((name) => join(home, name))));
  expect((await policyOf(trial.root)).watched).not.toContain(join(home, ".bash_profile"));
});

it("the sandbox policy creates no folder behind a link that leads out", async () => {
  const other = join(dirname(trial.root), "other");
  mkdirSync(other);
  symlinkSync(other, join(trial.root, ".github"));
  const { vacant, watched } = await policyOf(trial.root);
  expect([...vacant, ...watched].filter((path) => path.includes("workflows"))).toEqual([]);
});

it("the sandbox policy prevents a new repository and new workflows", async () => {
  trial.file(".github/CODEOWNERS");
  const policy = await policyOf(trial.root);
  expect(inRoot(policy.vacant)).toEqual(expect.arrayContaining([".git", ".github/workflows"]));
});

it("the sandbox policy hides secrets of the person and of the workspace, but not examples", async () => {
  for (const name of [".env", "app/.env.local", ".env.example"]) trial.file(name);
  for (const name of [".ssh", ".aws", ".config/gh"]) mkdirSync(join(home, name), { recursive: true });
  trial.file("../home/.netrc");
  trial.file("../home/.config/harness/credentials.json");
  trial.file("../home/.config/harness/conversations/1/log.jsonl");
  const policy = await policyOf(trial.root);
  expect(policy.hiddenFolders.sort()).toEqual([".aws", ".config/gh", ".ssh"].map((name) => join(home, name)));
  expect(policy.hiddenFiles).toEqual(
    expect.arrayContaining([join(home, ".netrc"), join(configFolder, "credentials.json"), join(trial.root, ".env")]),
  );
  expect(inRoot(policy.hiddenFiles).sort()).toEqual([".env", "app/.env.local"]);
});

it("the sandbox policy uses the targets of links, and follows none out of the workspace", async () => {
  const other = join(dirname(trial.root), "other");
  mkdirSync(join(other, ".vscode"), { recursive: true });
  mkdirSync(join(trial.root, "real"));
  symlinkSync(other, join(trial.root, "out"));
  symlinkSync(join(trial.root, "real"), join(trial.root, ".idea"));
  const link = join(dirname(trial.root), "link");
  symlinkSync(trial.root, link);
  const policy = await policyOf(link);
  expect(policy.writable).toEqual([trial.root]);
  expect(policy.fixed).toEqual([join(trial.root, "real")]);
});

it("the sandbox policy protects the config folder in a workspace that contains it", async () => {
  const policy = await policyOf(home);
  expect(policy.fixed).toContain(configFolder);
});

it("the sandbox policy accepts a root that no longer exists", async () => {
  rmSync(trial.root, { recursive: true });
  expect(await policyOf(trial.root)).toMatchObject({ writable: [], fixed: [], vacant: [] });
});

it("a placeholder stays until the last command that needs it has ended", async () => {
  const vacant = (await policyOf(trial.root)).vacant;
  const first = await placeholders.make(vacant);
  const meanwhile = await policyOf(trial.root);
  expect(inRoot(meanwhile.fixed)).toEqual(expect.arrayContaining([".git", ".harness"]));
  expect(inRoot(meanwhile.vacant)).toEqual([]);
  const second = await placeholders.make(meanwhile.fixed);
  await first.release();
  expect(readdirSync(trial.root)).toContain(".harness");
  await second.release();
  expect(readdirSync(trial.root)).toEqual([]);
});

it("a placeholder stays when a file was put into it", async () => {
  const { release } = await placeholders.make([join(trial.root, ".harness")]);
  trial.file(".harness/settings.json");
  await release();
  expect(readdirSync(join(trial.root, ".harness"))).toEqual(["settings.json"]);
});

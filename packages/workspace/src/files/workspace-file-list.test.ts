import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileListContract, fileTree, listedFiles, MemoryLedger } from "@harness/testkit";
import { builtinTools, walkedFiles } from "@harness/tools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileSearch } from "./file-search.ts";
import { folderEntries } from "./folder-entries.ts";
import { NewFileLines } from "./new-file-lines.ts";
import { workspaceFileList } from "./workspace-file-list.ts";

for (const isRepository of [false, true]) {
  fileListContract("a walk", walkedFiles, { isRepository });
  fileListContract("a workspace", workspaceFileList, { isRepository });
}

let tree: ReturnType<typeof fileTree>;
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", "-C", cwd, ...args], { stdio: "pipe" });
const put = (path: string, text = "") => {
  mkdirSync(join(tree.root, path, ".."), { recursive: true });
  writeFileSync(join(tree.root, path), text);
};
const inAt = async () => (await new FileSearch(tree.root, workspaceFileList, () => 0).find("", 1_000)).sort();
const all = async (folder = tree.root) => (await workspaceFileList.all(folder)).files.sort();

/** The rows of a tool's answer. */
async function answer(name: string, args: object, rgPath?: null): Promise<string[]> {
  const options = { toolTimeoutMs: 20_000, files: workspaceFileList, ...(rgPath === null ? { rgPath } : {}) };
  const tool = builtinTools(options).tools.find((each) => each.name === name);
  const unused = {
    staged: undefined,
    extracts: undefined,
    askModel: undefined,
    traceparent: undefined,
    ask: undefined,
  };
  const context = {
    ...unused,
    agentId: "main",
    cwd: tree.root,
    signal: new AbortController().signal,
    emit: () => undefined,
    files: new MemoryLedger(),
    spill: () => join(tree.root, "..", "spill"),
  };
  const approval = { realPaths: new Map(), roots: [tree.root], sandboxed: false };
  const result = await tool?.run(tool.args.parse(args), context, approval);
  return result?.text.split("\n") ?? [];
}

describe.each([true, false])("the files of a folder, in a repository: %s", (isRepository) => {
  beforeEach(() => {
    tree = fileTree(isRepository);
  });
  afterEach(() => tree.remove());

  it("are the same to glob, grep, ls, @, and a model's first look", async () => {
    expect(await answer("glob", { pattern: "**/*" })).toEqual(listedFiles);
    for (const rgPath of [null, undefined] as const) {
      const rows = await answer("grep", { pattern: "needle" }, rgPath);
      expect(rows.filter((row) => /:\d+:/.test(row))).toEqual([
        "a.ts:1:needle",
        "kept.log:1:needle",
        "src/b.ts:1:needle",
      ]);
    }
    const top = (await answer("ls", {})).map((row) => row.replace(/ .*/, ""));
    expect(top.filter((row) => row.endsWith("/"))).toEqual([".hidden/", "empty/", "py/", "src/", "src-x/"]);
    expect(top).toEqual(expect.arrayContaining(listedFiles.filter((file) => !file.includes("/"))));
    expect(top.at(-1)).toMatch(/^\[ignored:/);
    const files = (await inAt()).filter((path) => !path.endsWith("/") && !/^(?:dangling|link|out-link)$/.test(path));
    expect(files).toEqual(listedFiles.toSorted());
    const links = ["dangling", "link", "out-link"];
    expect((await folderEntries(tree.root)).filter((entry) => !links.includes(entry))).toEqual([
      "empty/",
      "py/",
      "src/",
      "src-x/",
      "a.ts",
      "kept.log",
      "pipe",
    ]);
  });
});

describe("all files of a repository", () => {
  beforeEach(() => {
    tree = fileTree(true);
    git(tree.root, "add", "-A");
    git(tree.root, "commit", "-qm", "first");
  });
  afterEach(() => tree.remove());
  const links = ["dangling", "link", "out-link"];
  const sorted = (...more: string[]) => [...listedFiles, ...links, ...more].sort();

  it("have those that the display counts as new, but for node_modules", async () => {
    put("new.ts", "1\n");
    put("node_modules/left/out.js", "1\n");
    rmSync(join(tree.root, ".gitignore"));
    const env = { PATH: process.env.PATH ?? "" };
    const shown = await new NewFileLines().count(tree.root, env, 5_000);
    const known = new Set(listedFiles);
    const added = (await all()).filter((path) => !known.has(path) && !links.includes(path));
    expect(added).toEqual(["new.ts", "out/in/p.js", "out/o.js", "run.log"]);
    expect(shown?.files).toBe(added.length + 1);
  });

  it("are those on the disk: removed ones are gone, and one in conflict is named once", async () => {
    rmSync(join(tree.root, "a.ts"));
    expect(await all()).toEqual(sorted().filter((path) => path !== "a.ts"));
    git(tree.root, "checkout", "-q", "a.ts");
    git(tree.root, "checkout", "-qb", "other");
    put("a.ts", "other\n");
    git(tree.root, "commit", "-qam", "other");
    git(tree.root, "checkout", "-q", "-");
    put("a.ts", "mine\n");
    git(tree.root, "commit", "-qam", "mine");
    expect(() => git(tree.root, "merge", "-q", "other")).toThrow();
    expect(await all()).toEqual(sorted());
    expect(await inAt()).toEqual([...new Set(await inAt())]);
  });

  it("have tracked files that a rule ignores, which a search leaves out", async () => {
    git(tree.root, "add", "-f", "run.log");
    expect(await all()).toEqual(sorted("run.log"));
    expect(await answer("glob", { pattern: "*.log" })).toEqual(["kept.log", "src/deep.log"]);
  });

  it("leave the files of repositories in it to those", async () => {
    git(tree.root, "init", "-q", "nested");
    put("nested/n.ts");
    git(tree.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", realpathSync(tree.root), "sub");
    expect(await all()).toEqual(sorted(".gitmodules"));
    expect(await all(join(tree.root, "nested"))).toEqual(["n.ts"]);
    expect(await all(join(tree.root, "sub"))).toEqual(sorted());
  });

  it("are named from the folder that is asked about, whatever their names", async () => {
    put("src/644 x\t\n.ts");
    put("src/? y");
    expect(await all(join(tree.root, "src"))).toEqual([".gitignore", "644 x\t\n.ts", "? y", "b.ts", "deep.log"]);
  });

  it("do without those outside a sparse checkout", async () => {
    git(tree.root, "sparse-checkout", "set", "src");
    expect((await all()).filter((path) => path.includes("/"))).toEqual(["src/.gitignore", "src/b.ts", "src/deep.log"]);
  });

  it("are in a worktree without those that the exclude file of its repository names", async () => {
    put(".git/info/exclude", "private.ts\n");
    const folder = join(tree.root, "..", "worktree");
    git(tree.root, "worktree", "add", "-q", folder);
    writeFileSync(join(folder, "private.ts"), "");
    expect(await all(folder)).toEqual(sorted());
    const { signal } = new AbortController();
    const query = { base: folder, patterns: ["*.ts"], cwd: folder, signal };
    expect((await workspaceFileList.find(query)).files).not.toContain("private.ts");
    expect((await workspaceFileList.undoRules(folder, [])).exclude).toContain("private.ts\n");
  });

  it("are found by a walk where git cannot be asked", async () => {
    writeFileSync(join(tree.root, ".git", "config"), "[broken");
    expect(await all()).toEqual([...listedFiles].sort());
  });
});

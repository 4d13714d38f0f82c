import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FileList } from "@harness/core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

/** Nested rules, negations, ignored and hidden folders, names that are never listed. */
const files: Readonly<Record<string, string>> = {
  ".gitignore": "*.log\n/out/\n!kept.log\n",
  ".env": "KEY=1\n",
  ".hidden/x.ts": "",
  "a.ts": "needle\n",
  "kept.log": "needle\n",
  "run.log": "needle\n",
  "out/o.js": "needle\n",
  "out/in/p.js": "",
  "node_modules/m/i.js": "needle\n",
  "py/p.py": "",
  "py/__pycache__/p.pyc": "needle\n",
  "src/.gitignore": "local.ts\n!deep.log\n",
  "src/b.ts": "needle\n",
  "src/deep.log": "",
  "src/local.ts": "needle\n",
  "src/inner/local.ts": "",
  "src/node_modules/n/i.js": "needle\n",
  "src-x/c.ts": "",
};
/** The existing files of that tree, in path order. */
export const listedFiles: readonly string[] = [
  ".env",
  ".gitignore",
  ".hidden/x.ts",
  "a.ts",
  "kept.log",
  "py/p.py",
  "src/.gitignore",
  "src/b.ts",
  "src/deep.log",
  "src-x/c.ts",
];
const links = ["dangling", "link", "out-link"];

/**
 * Creates the tree, with links and a pipe in it, and next to it a folder that a link leads to. `root`: its real path.
 */
export function fileTree(isRepository: boolean): { root: string; remove(): void } {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "file list ")));
  const root = join(top, "root");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  mkdirSync(join(top, "outside"));
  writeFileSync(join(top, "outside", "o.ts"), "needle\n");
  mkdirSync(join(root, "empty"));
  symlinkSync("a.ts", join(root, "link"));
  symlinkSync("none", join(root, "dangling"));
  symlinkSync("../outside", join(root, "out-link"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  if (isRepository) execFileSync("git", ["init", "-q"], { cwd: root, stdio: "pipe" });
  return { root, remove: () => rmSync(top, { recursive: true }) };
}

/** A walk cannot watch. */
type TestedList = Omit<FileList, "watch"> & Partial<Pick<FileList, "watch">>;

/** The contract of `FileList`: each of its methods leads to the same files. */
export function fileListContract(name: string, list: TestedList, { isRepository }: { isRepository: boolean }): void {
  let tree: ReturnType<typeof fileTree>;
  beforeAll(() => {
    tree = fileTree(isRepository);
  });
  afterAll(() => tree.remove());
  const query = (over: Partial<Parameters<FileList["find"]>[0]> = {}) => ({
    base: tree.root,
    patterns: ["**/*"],
    cwd: tree.root,
    signal: new AbortController().signal,
    ...over,
  });
  const find = async (...patterns: string[]) => (await list.find(query({ patterns }))).files;

  /** The files found by a caller that reads folders itself and applies the rules. */
  async function walked(folder: string, path = "", rules = list.rules(tree.root)): Promise<string[]> {
    const found: string[] = [];
    for (const entry of await rules.visible(folder, readdirSync(folder, { withFileTypes: true }))) {
      if (entry.isFile()) found.push(path + entry.name);
      if (entry.isDirectory()) found.push(...(await walked(join(folder, entry.name), `${path}${entry.name}/`, rules)));
    }
    return found;
  }

  /** The files that git lists by the rules for undo. */
  async function savedIn(folder: string, leaveOut: readonly string[] = []): Promise<string[]> {
    const { top, exclude } = await list.undoRules(folder, leaveOut);
    const gitDir = mkdtempSync(join(tmpdir(), "undo rules "));
    try {
      const git = (...args: string[]) =>
        execFileSync("git", [`--git-dir=${gitDir}`, `--work-tree=${top}`, ...args], { cwd: top, encoding: "utf8" });
      git("init", "-q");
      writeFileSync(join(gitDir, "info", "exclude"), exclude);
      const found = git("-c", "core.excludesFile=/dev/null", "ls-files", "-z", "-o", "--exclude-standard");
      return found.split("\0").filter(Boolean).sort();
    } finally {
      rmSync(gitDir, { recursive: true });
    }
  }

  describe(`file list contract: ${name}, in a ${isRepository ? "repository" : "plain folder"}`, () => {
    it("lists the same files in a search, at once, and folder by folder", async () => {
      expect(await list.find(query())).toEqual({ files: listedFiles, incomplete: false });
      const all = await list.all(tree.root);
      expect(all.incomplete).toBe(false);
      expect(all.files.filter((file) => !links.includes(file)).sort()).toEqual(listedFiles.toSorted());
      expect((await walked(tree.root)).sort()).toEqual(listedFiles.toSorted());
    });

    it("searches below a folder, and lists what is named although rules ignore it", async () => {
      expect(await find("*.ts", "!src")).toEqual([".hidden/x.ts", "a.ts", "src-x/c.ts"]);
      expect((await list.find(query({ base: join(tree.root, "src") }))).files).toEqual([
        ".gitignore",
        "b.ts",
        "deep.log",
      ]);
      expect(await find("src/local.ts", "*.py")).toEqual(["py/p.py", "src/local.ts"]);
      expect((await list.find(query({ base: join(tree.root, "out") }))).files).toEqual(["in/p.js", "o.js"]);
    });

    it("does not leave the folder, by links or by patterns", async () => {
      expect(await find("out-link/*", "link", "../outside/*", "../outside/o.ts", "out-link/o.ts")).toEqual([]);
    });

    it("finds nothing where there is nothing to read", async () => {
      for (const gone of ["none", "a.ts", "pipe", "empty"]) {
        const base = join(tree.root, gone);
        expect(await list.find(query({ base }))).toEqual({ files: [], incomplete: false });
        expect(await list.all(base)).toEqual({ files: [], incomplete: false });
        expect(await list.rules(tree.root).visible(base, [])).toEqual([]);
      }
    });

    it("says that a search was cancelled", async () => {
      expect(await list.find(query({ signal: AbortSignal.abort() }))).toMatchObject({ incomplete: true });
    });

    it("has undo save the same files and links; in a repository only its rules leave files out", async () => {
      const generated = isRepository ? ["node_modules/m/i.js", "py/__pycache__/p.pyc", "src/node_modules/n/i.js"] : [];
      expect(await savedIn(tree.root)).toEqual([...listedFiles, ...links, ...generated].sort());
      const below = listedFiles.filter((file) => file.startsWith("src/")).map((file) => file.slice("src/".length));
      const { top } = await list.undoRules(join(tree.root, "src"), []);
      expect(top).toBe(isRepository ? tree.root : join(tree.root, "src"));
      expect((await savedIn(tree.root, [join(tree.root, "src")])).filter((file) => file.startsWith("src/"))).toEqual(
        [],
      );
      if (!isRepository) expect(await savedIn(join(tree.root, "src"))).toEqual(below);
    });

    it("has undo save a folder that is ignored or left out, with rules of its own", async () => {
      const out = join(tree.root, "out");
      expect((await list.undoRules(out, [])).top).toBe(out);
      expect(await savedIn(out)).toEqual(["in/p.js", "o.js"]);
      expect((await list.undoRules(join(tree.root, "src"), [tree.root])).top).toBe(join(tree.root, "src"));
    });

    const { watch } = list;
    const itWatches = watch ? it : () => undefined;
    itWatches("reports a changed file in a repository", async () => {
      let changes = 0;
      const unwatch = await watch?.(tree.root, () => {
        changes += 1;
      });
      writeFileSync(join(tree.root, "src-x", "c.ts"), "changed\n");
      if (isRepository) await vi.waitFor(() => expect(changes).toBeGreaterThan(0), { timeout: 20_000 });
      expect(changes > 0).toBe(isRepository);
      unwatch?.();
    });

    it("lists secret files, and knows them", async () => {
      expect(await find(".env")).toEqual([".env"]);
      expect(list.isSecret(join(tree.root, ".env"))).toBe(true);
      expect(list.isSecret(join(tree.root, "a.ts"))).toBe(false);
    });
  });
}

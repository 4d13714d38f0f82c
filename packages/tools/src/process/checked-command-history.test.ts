import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type ObjectKind, readOnlyVerdict, readStrictLine } from "@harness/gate";
import { sample } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LEAK, type SecretHistory, secretHistory } from "../../test/secret-history.ts";
import { checkedCommand } from "./checked-command.ts";

const path = process.env.PATH ?? "/usr/bin:/bin";
const isReady =
  process.platform === "linux" && spawnSync("sh", ["-c", "command -v git && command -v bash"]).status === 0;

let repository: SecretHistory;
beforeAll(() => {
  if (isReady) repository = secretHistory(path);
});
afterAll(() => repository?.remove());

/** Git's own answer, cached by name. */
const kinds = new Map<string, ObjectKind | undefined>();
function kindOf(folder: string, name: string): ObjectKind | undefined {
  if (!kinds.has(name)) {
    const end = spawnSync("git", ["cat-file", "-t", `${name}^{}`], { cwd: folder, encoding: "utf8" });
    const kind = end.stdout.trim();
    kinds.set(name, kind === "commit" || kind === "tree" || kind === "blob" ? kind : undefined);
  }
  return kinds.get(name);
}

type Outcome = { asked: string } | { printed: string };

/** Why the command is asked about, or what it prints. */
async function outcome(command: string): Promise<Outcome> {
  const { work: cwd, top } = repository;
  const line = readStrictLine(command);
  if ("outside" in line) return { asked: line.outside };
  const verdict = readOnlyVerdict(line, { cwd, exists: existsSync, git: { kindOf } });
  if ("reason" in verdict) return { asked: verdict.reason };
  const checked = await checkedCommand(line, { cwd, roots: [cwd], env: { PATH: path, HOME: top } });
  if ("problem" in checked) return { asked: checked.problem };
  const shell = ["--norc", "--noprofile", "-c", checked.script];
  const end = spawnSync("bash", shell, { cwd, env: checked.env, encoding: "utf8" });
  return { printed: end.stdout + end.stderr };
}

async function printed(command: string): Promise<string> {
  const end = await outcome(command);
  if ("asked" in end) throw new Error(`${command}: ${end.asked}`);
  return end.printed;
}

/** Every word with every other: `flags` alone and after `-p`, and each thing that can be named. */
function lines(): string[] {
  const { commits, blobs, trees } = repository;
  const hashes = [...commits, ...blobs, ...trees].flatMap((hash) => [hash, hash.slice(0, 8)]);
  const named = [
    ...["", "HEAD", "HEAD~1", "HEAD^2", "HEAD~3..HEAD", "main...side", "side", "@{0}", "stash@{0}", "refs/stash"],
    ...["blob", "marked", "tree", "v1", "tree^{tree}", "v1^{}", "marked^{}", "blob^{blob}", "HEAD^{tree}", "tags/blob"],
    ...[
      "stash^3",
      "stash@{0}^3",
      "HEAD@{1}",
      ":a.txt",
      ":0:a/.env",
      ":/only",
      "HEAD^{/only}",
      "blob^0",
      "marked^{blob}",
    ],
    ...[
      "tree:config",
      "HEAD:a",
      "HEAD:a/a.txt",
      "a",
      "-- a",
      "-- .",
      "a/moved.txt",
      "HEAD -- a",
      "blob tree",
      "tree HEAD",
    ],
    ...[
      "-- ':(top)a'",
      "-- ':!a.txt'",
      "-- ':(icase)A'",
      "-- ':(glob)**'",
      "-- ':(literal)a'",
      "-- '*'",
      "-- a/b '*.json'",
    ],
    ...[...hashes, ...hashes.map((hash) => `${hash}:config`), ...trees.map((hash) => `${hash} HEAD`)],
    ...blobs.flatMap((hash) => [`${hash}..HEAD`, `${hash}^{}`, `${blobs[0]} ${hash}`, `${hash} a.txt`, `-- ${hash}`]),
  ];
  const flags = [
    ...["", "-p", "-p -m", "-U0", "--patch-with-stat", "--binary", "--check", "--color-words", "-p --stat", "-R -p"],
    ...[
      "--stat --check",
      "-p -M -C --find-copies-harder",
      "--word-diff",
      "-G hidden -p",
      "-p -a",
      "--name-only -p",
      "-s",
    ],
  ];
  const historical = [
    ...["-c", "--cc", "-u --all", "-p --tags", "-p --full-history", "-p --reverse", "-p -g", "-p --sparse --graph"],
    ...["-p --follow", "-p --full-diff", "-L 1,1:a/moved.txt", "-L '/key/,+1:a/moved.txt' -M", "-p --no-walk=unsorted"],
  ];
  const shown = [
    "log",
    "show",
    "diff",
    "diff --cached",
    "diff-tree",
    "diff-tree -r -p --root",
    "stash show",
    "-C a log",
  ];
  const flagsOf = (name: string) => (/log|show$/.test(name) ? [...flags, ...historical] : flags);
  return [
    ...shown.flatMap((name) => flagsOf(name).flatMap((flag) => named.map((each) => `git ${name} ${flag} ${each}`))),
    ...named.flatMap((each) => [`git cat-file -p ${each}`, `git grep -h e ${each}`, `git -C a grep -h . ${each}`]),
    ...named.flatMap((each) => [
      `git blame ${each} a/moved.txt`,
      `git blame -C -C ${each} -- a/moved.txt`,
      `git show -s ${each}`,
    ]),
    ...["for-each-ref", "tag -l", "branch --list", "log -1"].map((name) => `git ${name} --format='%(raw)%(contents)'`),
    ...["stash show -p --include-untracked", "stash show --only-untracked", "stash show --include-untracked -p"].map(
      (each) => `git ${each}`,
    ),
    ...["cd a && git log -p", "cd a/b && git show HEAD~2", "cd a/b/c && git diff-tree -p HEAD~3 HEAD"],
  ];
}

describe.skipIf(!isReady)("git that runs unasked", () => {
  it("prints no secret of the present or the past, whatever it is given", async () => {
    const leaking: string[] = [];
    // All pairs would take minutes. A prime stride reaches every word, each time in a new pair.
    const some = lines().filter((_, place) => place % 31 === 0);
    for (const command of sample(some, 50)) {
      const end = await outcome(command);
      if ("printed" in end && end.printed.includes(LEAK)) leaking.push(command);
    }
    expect(leaking).toEqual([]);
  }, 120_000);

  it("would print them as it is written", () => {
    const { work, top, blobs } = repository;
    const env = { PATH: path, HOME: top, GIT_PAGER: "cat" };
    for (const command of [
      "git log -p",
      "git show HEAD~1",
      `git show ${blobs[0]}`,
      "git stash show -p",
      "git grep . tree",
    ])
      expect(spawnSync("bash", ["-c", command], { cwd: work, env, encoding: "utf8" }).stdout, command).toContain(LEAK);
  });

  it("lists the same commits, and shows all other files", async () => {
    const subjects = "moved\nmerge\nours\nside\nonly secrets\nfirst\n";
    expect((await printed("git log -p --format=%s")).match(/^[a-z ]+$/gm)).toEqual(subjects.trim().split("\n"));
    expect(await printed("git log -c --format=%s -2 -s")).toBe("moved\nmerge\n");
    expect(await printed("git log -p --format=%s -- b.txt")).toContain("side\n\ndiff --git a/b.txt b/b.txt");
    expect(await printed("git log -p --format=%s b.txt")).not.toContain("ours");
    expect(await printed("git log -L 21,21:a/moved.txt --format=%s")).toContain("+key=plain");
    expect(await printed("git show HEAD~2 --format=%s")).toContain("+found 3");
    expect(await printed("git show HEAD~3 --format=%s")).toBe("only secrets\n");
    expect(await printed("git show --format=%s --stat HEAD~1")).toMatch(/^merge\n[\s\S]*b\.txt/);
    expect(await printed("git show v1 --format=%s -- a/moved.txt")).toContain("+key=plain");
    expect(await printed("git show side:b.txt main:a.txt")).toBe("found 2\nfound 3\n");
    expect(await printed("cd a && git show main:./a.txt HEAD:../b.txt")).toBe("found 1\nfound 2\n");
    expect(await printed("git -C a diff a.txt")).toContain("+found 5");
    expect(await printed("git diff main~2..side -- b.txt")).toContain("+found 2");
    expect(await printed("git diff 4b825dc642cb6eb9a060e54bf8d69288fbee4904 side -- b.txt")).toContain("+found 2");
    expect(await printed("git grep -h found side -- b.txt")).toBe("found 2\n");
    expect(await printed("git stash show")).toContain(" a.txt | 2 +-");
    expect(await printed("git stash show -p 0")).toContain("+found 4");
    expect(await printed("git stash show --include-untracked --name-only")).toContain("a/.env.new");
    expect(await printed("git cat-file -p v1")).toContain("tree ");
    expect(await printed("git cat-file -p main^{tree}")).toContain("\ta.txt");
  });

  it("shows a commit by its hash", async () => {
    const [, , , hash = ""] = repository.commits;
    for (const name of [hash.slice(0, 9), hash, `${hash}^0`, `${hash}^{}`, `${hash.slice(0, 7)}^{commit}`])
      expect(await printed(`git show ${name}`)).toContain("+found 3");
    expect(await printed(`git log -p -1 ${hash.slice(0, 7)}`)).toContain("+found 3");
    expect(await printed(`git diff ${hash}~1..${hash.slice(0, 7)} -- a.txt`)).toContain("+found 3");
    expect(await printed(`git show ${hash}:a.txt`)).toBe("found 3\n");
  });

  it("is asked about where a name is that of a file or a folder, which does not say what it is called", async () => {
    const { blobs, trees } = repository;
    const [blob = "", other = ""] = blobs;
    const [tree = "", more = ""] = trees;
    const names = [...blobs, ...trees, "blob", "tree", "marked"].flatMap((name) => [name, `${name}^{}`]);
    for (const command of [
      ...names.flatMap((name) => [`git show ${name}`, `git show -s HEAD ${name}`, `git grep -h . ${name}`]),
      ...[blob.slice(0, 7), `${blob}^{blob}`, `refs/tags/blob`, "tags/tree", `${tree}:config`, "tree:config"].map(
        (name) => `git show ${name}`,
      ),
      ...[`${blob} ${other}`, `${blob}..${other}`, `blob marked`, `${tree} ${more}`, `HEAD ${tree}`].map(
        (name) => `git diff ${name}`,
      ),
      `git diff-tree -p ${tree} ${more}`,
      `git -C a show ${blob}`,
      "git cat-file -p marked",
      "git cat-file -p blob",
    ]) {
      const end = await outcome(command);
      expect("asked" in end && end.asked, command).toMatch(/is a (?:file|folder), and does not say which$/);
    }
  });

  it("shows no file by its hash, whatever the name led to when it was judged", async () => {
    const { work: cwd, top, blobs } = repository;
    const line = readStrictLine(`git show ${blobs[0]}`);
    if ("outside" in line) throw new Error(line.outside);
    const checked = await checkedCommand(line, { cwd, roots: [cwd], env: { PATH: path, HOME: top } });
    if ("problem" in checked) throw new Error(checked.problem);
    const end = spawnSync("bash", ["--norc", "-c", checked.script], { cwd, env: checked.env, encoding: "utf8" });
    expect(end.stdout + end.stderr).toContain("^{commit}: expected commit type");
  });
});

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findFiles, inPathOrder } from "./find-files.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "harness-ignore-")));
});
afterEach(() => rmSync(root, { recursive: true }));

const file = (name: string, content = "") => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
};
const ours = async () =>
  (await findFiles({ base: root, patterns: ["**/*"], cwd: root, signal: new AbortController().signal })).files;
const gits = () => {
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env, encoding: "utf8" });
  git("init", "-q");
  const names = git("ls-files", "-coz", "--exclude-standard").split("\0");
  return inPathOrder(names.filter((name) => name !== ""));
};

it("the search finds the same files as git for any nested rules", async () => {
  let seed = 11;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  const pick = (from: readonly string[]) => from[random(from.length)] ?? "";
  const names = ["a", "b", "c.log", "d.txt", "é x", ".h"];
  const rules = [
    "a",
    "/a",
    "a/",
    "*.log",
    "!c.log",
    "b/*",
    "!b/d.txt",
    "**/a/b",
    "# note",
    "",
    "d.*",
    "[ab]",
    "é*",
    "\\!x",
    "a/**/b",
    "a/**",
    "/**/d.txt",
    "[!a]",
    "[^.a-c]*",
    "[[:alpha:]].log",
    "[]a]",
    "[a",
    "?.log",
    "a ",
    "*x\\ ",
    "*\\ x",
    "a**",
    "\\a",
    "*/c.*",
    "!b",
  ];
  for (let round = 0; round < 40; round++) {
    for (let i = 0; i < 30; i++) {
      const path = Array.from({ length: 1 + random(4) }, () => pick(names));
      try {
        file(path.join("/"));
      } catch {
        // A part of it is already a file, so it would be a different tree.
      }
    }
    for (const folder of ["", "a/", "b/", "a/b/"]) {
      try {
        if (random(2)) file(`${folder}.gitignore`, Array.from({ length: random(4) }, () => pick(rules)).join("\n"));
      } catch {
        // The folder is a file.
      }
    }
    expect(await ours(), `round ${round}`).toEqual(gits());
    rmSync(root, { recursive: true });
    mkdirSync(root);
  }
});

it("the search reads the ignore rules in the .git folder", async () => {
  file("secret.txt");
  file("x.txt");
  gits();
  file(".git/info/exclude", "secret.txt\n");
  expect(await ours()).toEqual(["x.txt"]);
});

const slow = [
  `${"*a".repeat(40)}*b`,
  `${"**/a/".repeat(40)}b`,
  `${"[a-z]*".repeat(60)}b`,
  `${"?*".repeat(100)}b`,
  `/${"*/".repeat(40)}b`,
];

it("the search is not stopped by broken or deliberately slow rules", async () => {
  file(".gitignore", `[z-a]\n${slow.join("\n")}\n\\\n/\n!\nx.txt\n`);
  file("x.txt");
  file("a".repeat(250));
  file(`${"a/".repeat(60)}c`);
  expect(await ours()).toEqual([".gitignore", `${"a/".repeat(60)}c`, "a".repeat(250)]);
});

it("the search is not stopped by a slow pattern", async () => {
  file("a".repeat(250));
  file(`${"a/".repeat(60)}c`);
  const { signal } = new AbortController();
  for (const pattern of slow)
    expect((await findFiles({ base: root, patterns: [pattern], cwd: root, signal })).files, pattern).toEqual([]);
});

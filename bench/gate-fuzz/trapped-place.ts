import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SECRET_TEXT, secretBlob, writeDecisionWorkspace } from "../../packages/server/test/decision-workspace.ts";

/** Repository settings that make git run a program. */
const gitTraps = [
  "core.fsmonitor",
  "core.pager",
  "core.editor",
  "core.sshCommand",
  "diff.external",
  "diff.trap.textconv",
  "diff.trap.command",
  "filter.trap.clean",
  "filter.trap.smudge",
  "filter.trap.process",
  "gpg.program",
  "credential.helper",
  "sequence.editor",
  "pager.log",
  "pager.diff",
  "pager.show",
  "uploadpack.packObjectsHook",
];

/** A workspace of secrets in which any started program leaves the file `started` in the home folder. */
export function writeTrappedPlace(cwd: string, home: string): { blob: string; tree: string } {
  writeDecisionWorkspace(cwd, home);
  const trap = join(cwd, "trap.sh");
  writeFileSync(trap, `#!/bin/sh\necho started >> '${join(home, "started")}'\ncat\n`);
  chmodSync(trap, 0o755);
  symlinkSync(".env", join(cwd, "linked.txt"));
  symlinkSync("../home/.ssh", join(cwd, "linked"));
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  git("tag", "v1");
  git("tag", "TAGGED", secretBlob(cwd));
  execFileSync(
    "git",
    ["-c", "user.name=A", "-c", "user.email=a@example.com", "stash", "push", "-q", "-u", "--", ".env"],
    {
      cwd,
      stdio: "ignore",
    },
  );
  writeFileSync(join(cwd, ".env"), `${SECRET_TEXT}\n`);
  for (const name of gitTraps) git("config", name, trap);
  appendFileSync(join(cwd, ".git/info/attributes"), "* diff=trap\n");
  appendFileSync(join(cwd, ".git/config"), `[alias]\n\tst = !${trap}\n`);
  for (const hook of [
    "post-checkout",
    "pre-commit",
    "reference-transaction",
    "fsmonitor-watchman",
    "post-index-change",
  ]) {
    symlinkSync(trap, join(cwd, ".git/hooks", hook));
  }
  const bin = join(cwd, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["cat", "git", "ls", "less", "grep"]) symlinkSync(trap, join(bin, name));
  return { blob: secretBlob(cwd), tree: git("rev-parse", "HEAD^{tree}") };
}

/** The identity of each file below the folders: one line for each, which changes with the file. */
export function stateOf(folders: readonly string[]): Map<string, string> {
  const state = new Map<string, string>();
  const look = (path: string): void => {
    const { mode, mtimeNs, size, ino, nlink } = lstatSync(path, { bigint: true });
    state.set(path, [mode, mtimeNs, size, ino, nlink].join(" "));
    if ((mode & 0o170000n) === 0o040000n) for (const name of readdirSync(path)) look(join(path, name));
  };
  for (const folder of folders) look(folder);
  return state;
}

/** The paths that differ. */
export function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

const word = SECRET_TEXT.slice(SECRET_TEXT.indexOf("secret"));
const backwards = [...word].reverse().join("");
/** Hex dumps break the line after any byte. */
const hex = Buffer.from(word).toString("hex").slice(0, 16);
/**
 * Base64 encodes a text in three ways, depending on where it begins; the first and last characters depend on its
 * neighbours.
 */
const base64 = [0, 1, 2].map((shift) =>
  Buffer.from(`${"k".repeat(shift)}${word}`)
    .toString("base64")
    .slice(4, 12),
);

/** True if the output shows a secret, plainly or encoded. */
export function showsSecret(output: string): boolean {
  const text = output.toLowerCase();
  const joined = text.replace(/[\s|:]+/g, "");
  const plain = [word, backwards].some((each) => text.includes(each) || joined.includes(each));
  return plain || joined.includes(hex) || base64.some((each) => output.includes(each));
}

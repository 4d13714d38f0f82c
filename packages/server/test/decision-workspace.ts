import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Every file that may hold secrets has this text, and no other file has. */
export const SECRET_TEXT = "KEY=secret-5kd8w2";

const files: Readonly<Record<string, string>> = {
  "README.md": "# Readme\n",
  "package.json": '{ "name": "w", "scripts": { "test": "true", "build": "true" } }\n',
  Makefile: "all test:\n\ttrue\n",
  "foo.txt": "foo\n",
  "bar.txt": "bar\n",
  "build.mjs": "\n",
  "x.py": "\n",
  "list.txt": ".env\n",
  "refs.txt": "HEAD:.env\n",
  ".env.example": "KEY=\n",
  "src/a.ts": "export const a = 1;\n",
  "src/b.ts": "export const b = 1;\n",
  "deploy/prod.yml": "a: 1\n",
  "secret/plan.md": "# Plan\n",
};
const secrets = [".env", "server.pem", "credentials.json", "id_rsa", "deep/conf/.env.local", "a/b/c/d/.env"];

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function git(cwd: string, ...args: string[]): string {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: cwd,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    // Commits have the same names each time.
    GIT_AUTHOR_DATE: "@1 +0000",
    GIT_COMMITTER_DATE: "@1 +0000",
  };
  const person = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...person, ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

/** The repository's settings for unknown words. */
const aliases: Readonly<Record<string, string>> = {
  st: "status -sb",
  last: "log -1 HEAD",
  ci: "commit",
  up: "push",
  undo: "push --force",
  pwn: "!touch pwn",
  spoken: '"!touch" pwn',
  nested: "pwn",
  lg: "-c core.pager=./evil log",
  each: "rebase -x ./evil",
};

/**
 * A repository of two commits whose files are plain ones and secrets, all of them committed; the tag `keys` is the text of
 * a secret, and `folder` a folder of them.
 */
export function writeDecisionWorkspace(cwd: string, home: string): void {
  mkdirSync(home, { recursive: true });
  for (const [path, text] of Object.entries(files)) write(join(cwd, path), text);
  git(cwd, "init", "-q");
  git(cwd, "add", "-A", "-f");
  git(cwd, "commit", "-qm", "first");
  for (const path of secrets) write(join(cwd, path), `${SECRET_TEXT}\n`);
  write(join(cwd, "src/a.ts"), "export const a = 2;\n");
  git(cwd, "add", "-A", "-f");
  git(cwd, "commit", "-qm", "second");
  git(cwd, "tag", "keys", "HEAD:.env");
  git(cwd, "tag", "folder", "HEAD:deep/conf");
  for (const [name, text] of Object.entries(aliases)) git(cwd, "config", `alias.${name}`, text);
  write(join(home, ".ssh/id_ed25519"), `${SECRET_TEXT}\n`);
}

/** The object that holds the text of a committed secret. */
export function secretBlob(cwd: string): string {
  return git(cwd, "rev-parse", "HEAD:.env");
}

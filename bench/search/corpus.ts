import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const checkout = resolve(import.meta.dirname, "../..");

export type SourceText = { path: string; text: string };

export type CopiedFolder = { folder: string; remove(): void };

/** The text files of this repository. */
export function ownSources(): SourceText[] {
  return git(checkout, ["ls-files", "-z"])
    .split("\0")
    .filter(Boolean)
    .map((path) => ({ path, text: readFileSync(join(checkout, path), "utf8") }))
    .filter(({ text }) => !text.includes("\0"));
}

/** A file of the `copy`th copy: no two files are equal. */
export function copiedSource({ path, text }: SourceText, copy: number): SourceText {
  return copy === 0 ? { path, text } : { path: `copy${copy}/${path}`, text: `${text}\n// copy ${copy}\n` };
}

/** A repository of `count` files: this one's, and copies of them. */
export function copiedRepository(count: number): CopiedFolder {
  const folder = mkdtempSync(join(tmpdir(), "bench-search-"));
  const sources = ownSources();
  for (let at = 0; at < count; at += 1) {
    const source = sources[at % sources.length];
    if (!source) continue;
    const { path, text } = copiedSource(source, Math.floor(at / sources.length));
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, ["init", "-q"]);
  git(folder, ["add", "-A"]);
  const who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgSign=false"];
  git(folder, [...who, "commit", "-q", "--no-verify", "-m", "all files"]);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function git(cwd: string, args: readonly string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", args, { cwd, env, encoding: "utf8", maxBuffer: 1 << 28 });
}

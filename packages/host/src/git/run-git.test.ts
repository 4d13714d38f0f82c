import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runGit } from "./run-git.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "harness-run-git-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function script(text: string): string {
  const path = join(folder, "git");
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

const place = () => ({ args: [], cwd: folder, env: { PATH: process.env.PATH ?? "" }, maxOutputBytes: 1000 });

describe("git", () => {
  it("is given up after its time, though it does not end and a child of it holds its output", async () => {
    const began = performance.now();
    const end = await runGit({ ...place(), command: script("trap '' TERM\necho first\nsleep 4"), timeoutMs: 100 });
    expect(end.code).toBeNull();
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it("that ends in time is read to its end", async () => {
    const end = await runGit({ ...place(), command: script("echo all"), timeoutMs: 60_000 });
    expect([end.code, end.output.toString()]).toEqual([0, "all\n"]);
  });
});

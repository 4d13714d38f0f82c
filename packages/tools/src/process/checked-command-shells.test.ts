import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStrictLine } from "@harness/gate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkedCommand } from "./checked-command.ts";
import { OwnProcess } from "./own-process.ts";
import { lineCall } from "./shell.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

let work: string;
beforeAll(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), "harness-shells-")));
  writeFileSync(join(work, "a.txt"), "one\ntwo\n");
  mkdirSync(join(work, "src"));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

async function checked(command: string) {
  const line = readStrictLine(command);
  if ("outside" in line) throw new Error(line.outside);
  const made = await checkedCommand(line, { cwd: work, roots: [work], env: { PATH } });
  if ("problem" in made) throw new Error(made.problem);
  return made;
}

describe("the shell of a checked command", () => {
  it.each([
    "ls -la src",
    "cat a.txt | head -n 1 | wc -l",
    "cat 'it'\\''s' || ls; ls",
    "ls nosuch 2>/dev/null || echo none",
    "ls nosuch 2>&1",
    "echo one 'two  three' '日本'; echo $?",
    "echo",
    "LC_ALL=C sort a.txt",
    "ls nosuch &>/dev/null || echo none >&2",
  ])("is that of the system, which starts sooner, where each says the same: %s", async (command) => {
    const { script, env, isPosix } = await checked(command);
    expect(isPosix).toBe(true);
    const started = await lineCall({ command: script, env, isPosix }, new OwnProcess());
    expect(started.file).toBe("/bin/sh");
    const inBash = spawnSync("bash", ["--norc", "--noprofile", "-c", `exec 2>&1; ${script}`, "bash"], {
      cwd: work,
      env,
    });
    const end = spawnSync(started.file, started.args, { cwd: work, env });
    expect([end.status, String(end.stdout)]).toEqual([inBash.status, String(inBash.stdout)]);
    expect(String(end.stderr)).toBe("");
  });

  it.each([
    ["an option of echo", "echo -n x"],
    ["a backslash, which some shells read", "echo 'a\\nb'"],
    ["another command of the shell", "printf '%s' a"],
    ["a folder that may be missing", "cd src && ls"],
    ["a program that may be missing", "nosuchprogram-of-nobody"],
    ["a file that may be missing", "wc -l < a.txt"],
    ["what the shell adds to the environment", "printenv"],
  ])("is bash where there is %s", async (_what, command) => {
    expect((await checked(command)).isPosix).toBe(false);
  });

  it("is bash where the line names its output: the shell of the system would have to make a pipe", async () => {
    const call = await lineCall({ command: "ls /dev/stdout", env: { PATH }, isPosix: true }, new OwnProcess());
    expect(call.file).not.toBe("/bin/sh");
  });
});

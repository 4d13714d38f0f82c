import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProgramOptions, runProgram } from "./run-program.ts";

let folder: string;
let count = 0;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness run ")));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string, mode = 0o755): string {
  count += 1;
  const path = join(folder, `program ${count}`);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const env = { PATH: process.env.PATH ?? "" };
const run = (text: string, options: Partial<ProgramOptions> = {}) =>
  runProgram({
    path: file(`#!/bin/sh\n${text}\n`),
    cwd: folder,
    env,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    maxOutputBytes: 1_000,
    ...options,
  });

/** `/proc` is not needed: signal 0 only checks. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
async function untilGone(pidFile: string): Promise<void> {
  const pid = Number(readFileSync(join(folder, pidFile), "utf8"));
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => isAlive(pid), { interval: 5, timeout: 60_000 }).toBe(false);
}

describe("a program that is run", () => {
  it("a program that is run gets its input, arguments, folder and variables, and nothing else", async () => {
    const end = await run('cat; echo "|$1|$PWD|$MINE|$HOME"', {
      input: "hello",
      args: ["a b"],
      env: { ...env, MINE: "m" },
    });
    expect(end).toEqual({
      code: 0,
      signal: null,
      stdout: `hello|a b|${folder}|m|\n`,
      stderr: "",
      timedOut: false,
      truncated: false,
      leftBehind: false,
    });
  });

  it("a program that is run may ignore its input and fail with words", async () => {
    const end = await run("echo partly; echo no >&2; exit 3", { input: "x".repeat(1_000_000) });
    expect(end).toMatchObject({ code: 3, stdout: "partly\n", stderr: "no\n" });
  });

  it("a program that is run keeps no more output than asked for, and all of it is shown as it comes", async () => {
    let shown = 0;
    const onOutput = (text: string, from: string) => {
      if (from === "stdout") shown += text.length;
    };
    const end = await run("head -c 500000 /dev/zero", { onOutput });
    expect(end).toMatchObject({ code: 0, truncated: true });
    expect(end.stdout).toHaveLength(1_000);
    expect(shown).toBe(500_000);
  });

  it("a program that is run is ended with what it started when its time is over", async () => {
    const end = await run('(trap "" TERM; echo $$ > /dev/null; exec sleep 300) & echo $! > child; wait', {
      timeoutMs: 300,
    });
    expect(end).toMatchObject({ timedOut: true, signal: "SIGTERM", code: null });
    await untilGone("child");
  });

  it("a program that does not end when asked to is killed", async () => {
    const aborter = new AbortController();
    const onOutput = () => aborter.abort();
    const end = await run('trap "" TERM; echo ready; while :; do sleep 0.1; done', {
      signal: aborter.signal,
      onOutput,
    });
    expect(end).toMatchObject({ signal: "SIGKILL", stdout: "ready\n", timedOut: false });
  });

  it("a program that is run does not hold us up by what it leaves behind", async () => {
    const end = await run("sleep 300 & echo $! > left; echo done");
    expect(end).toMatchObject({ code: 0, stdout: "done\n", leftBehind: true });
    await untilGone("left");
  });

  it.runIf(process.platform === "linux")(
    "a program that is run leaves no process of another session behind",
    async () => {
      const end = await run("setsid sleep 300 & echo $! > escaped; echo done");
      expect(end).toMatchObject({ code: 0, stdout: "done\n", leftBehind: true });
      await untilGone("escaped");
      const late = await run(
        "setsid sh -c 'echo $$ > late; trap \"\" TERM; sleep 300' & until [ -s late ]; do :; done; wait",
        {
          timeoutMs: 300,
        },
      );
      expect(late.timedOut).toBe(true);
      await untilGone("late");
    },
  );

  it("a program that is run may leave something behind that holds nothing of ours", async () => {
    const end = await run("sleep 300 > /dev/null 2>&1 & echo $! > quiet; echo done");
    expect(end).toMatchObject({ code: 0, leftBehind: false });
    const pid = Number(readFileSync(join(folder, "quiet"), "utf8"));
    expect(isAlive(pid)).toBe(true);
    process.kill(pid);
  });

  it("a program that is run is not started when it was cancelled before", async () => {
    expect(await run("touch started", { signal: AbortSignal.abort() })).toMatchObject({
      code: null,
      problem: "it was cancelled before it began",
    });
  });
});

describe("a program that cannot be run", () => {
  it.each<[string, Partial<ProgramOptions>, () => string, string]>([
    ["that is not there", {}, () => join(folder, "nothing"), "it does not exist"],
    ["without a folder", { cwd: "/no/such" }, () => file("#!/bin/sh\n"), "the folder /no/such, where it should run"],
    ["without the run bit", {}, () => file("#!/bin/sh\n", 0o644), "it is not executable; run chmod +x "],
    ["without an interpreter", {}, () => file("#!/no/such/sh\n"), "does not exist: #!/no/such/sh"],
    ["with Windows line breaks", {}, () => file("#!/bin/sh\r\necho hi\r\n"), "save it with Unix line breaks"],
    ["with Windows line breaks after env", {}, () => file("#!/usr/bin/env sh\r\necho\r\n"), "Windows line break"],
    ["with a zero byte in its variables", { env: { A: "\0" } }, () => file("#!/bin/sh\n"), "null bytes"],
  ])("a program that cannot be run says why: %s", async (_name, order, path, words) => {
    const end = await run("", { ...order, path: path() });
    expect(end.problem).toContain(words);
    expect(end.stdout).toBe("");
  });
});

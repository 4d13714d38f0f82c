import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../test/trial.ts";
import { createBash } from "./bash.ts";
import { groupMembers, markedProcesses } from "./process/process-table.ts";

const bash = createBash({ timeoutMs: 15_000, extraEnv: { MINE: "yes", MY_TOKEN: "secret" } });

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

const run = (command: string, timeout_ms?: number) =>
  trial.run(bash, timeout_ms ? { command, timeout_ms } : { command });

describe("the place of a command among the calls of its reply", () => {
  it.each([
    [{ command: "tail -f a" }, "by-effects"],
    [{ command: "tail -f a", parallel: true }, "beside-its-kind"],
    [{ command: "tail -f a", background: true }, "alone"],
    [{ command: "tail -f a", background: true, parallel: true }, "alone"],
  ])("%j runs %s", (args, concurrency) => {
    expect(bash.concurrency?.(args)).toBe(concurrency);
  });
});

describe("the output of a command", () => {
  it("keeps the order of stdout and stderr, and ends with the exit code", async () => {
    const result = await run("echo a; echo b >&2; echo c; exit 3");
    expect(result).toMatchObject({ status: "error", text: "a\nb\nc\n[exit code 3]" });
    expect(result.blocks).toMatchObject([{ type: "terminal", output: "a\nb\nc", exitCode: 3 }]);
  });

  it("is reported as empty when there is none", async () => {
    expect(await run("true")).toMatchObject({ status: "ok", text: "(no output)" });
    expect(await run("false")).toMatchObject({ status: "error", text: "(no output)\n[exit code 1]" });
  });

  it("names the signal that ended the command", async () => {
    const result = await run("kill -SEGV $$");
    expect(result.text).toBe("(no output)\n[ended by SIGSEGV (it crashed: it used memory that is not its own)]");
    expect(result.blocks).toMatchObject([{ exitCode: null, signal: "SIGSEGV" }]);
  });

  it("can be opened by name, which Linux refuses for sockets", async () => {
    const result = await run("echo one > /dev/stderr; echo two | tee /dev/stderr; echo three >> /dev/stdout");
    expect(result.text).toBe("one\ntwo\ntwo\nthree");
  });

  it("is seen while the command runs", async () => {
    const stop = new AbortController();
    const emit = (text: string) => {
      expect(text).toBe("first\n");
      stop.abort();
    };
    const result = await trial.run(bash, { command: "echo first; sleep 300" }, { emit, signal: stop.signal });
    expect(result.text).toMatch(/^first\n\[cancelled/);
  });

  it("is never started when it is cancelled before that", async () => {
    const stop = new AbortController();
    const ending = trial.run(bash, { command: "echo hi > began" }, { signal: stop.signal });
    stop.abort();
    expect((await ending).text).toBe("The command could not be started: it was cancelled before that.");
    expect(existsSync(join(trial.root, "began"))).toBe(false);
  });

  it("is shown without escape sequences, control characters and overwritten progress bars", async () => {
    const result = await run(
      `printf '\\033[31mred\\033[0m \\033]0;title\\007x\\0y\\n10%%\\r50%%\\r100%%\\nab\\bc\\r\\n'`,
    );
    expect(result.text).toBe(
      "red xy\n100%\nac\n[the output contained bytes that are not text; they were left out or shown as \uFFFD]",
    );
  });

  it("is not shown when it is binary", async () => {
    expect((await run("head -c 100000 /dev/urandom")).text).toMatch(/^\[100 kB of binary output, not shown/);
  });

  it("is shown as head and tail in complete lines when it is long, and is all in a file", async () => {
    const result = await run("seq 1 20000");
    expect(Buffer.byteLength(result.text)).toBeLessThan(31_000);
    expect(result.text).toMatch(/^1\n2\n3\n/);
    expect(result.text).toMatch(/\n19999\n20000$/);
    const note = /\n\[… ([\d,]+) lines of 109 kB left out; everything is in (.*)\]\n(\d+)\n/.exec(result.text);
    const path = String(note?.[2]);
    expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(20_000);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(result.blocks).toMatchObject([{ fullOutputPath: path }]);
    const shown = result.text.split("\n").length - 1;
    expect(shown + Number(note?.[1]?.replace(",", ""))).toBe(20_000);
  });

  it("is cut in a long line without a line end, but never inside a character", async () => {
    const result = await run("yes € | head -n 50000 | tr -d '\\n'");
    expect(Buffer.byteLength(result.text)).toBeLessThan(31_000);
    expect(result.text).toMatch(/^€+\n\[… 1 line of 150 kB left out; everything is in .*\]\n€+$/);
  });

  it("ends the command when it is too large, and the file with it", async () => {
    const result = await run("yes");
    expect(result.text).toMatch(/\[stopped: more than 50.0 MB of output\]$/);
    expect(statSync(String(/everything is in (.*)\]/.exec(result.text)?.[1])).size).toBeLessThan(51_000_000);
    expect(trial.emitted().length).toBeLessThan(1_000_000);
  });

  it("is shown without a file when the file cannot be created", async () => {
    const spill = () => "/dev/full";
    const result = await trial.run(bash, { command: "seq 1 20000" }, { spill });
    expect(result.text).toContain("left out; the rest could not be saved: no space is left on the disk]");
    expect(result.text).toMatch(/20000$/);
    expect(result.blocks[0]).not.toHaveProperty("fullOutputPath");
  });
});

describe("the environment of a command", () => {
  it("names the tool when a patch is given to a program that models know from elsewhere", async () => {
    const { text } = await run("apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF");
    expect(text).toContain('[apply_patch is a tool, not a program: call it with {"input": "*** Begin Patch …"}]');
    expect((await run("no-such-program")).text).not.toContain("apply_patch");
  });

  it("has no input and no terminal", async () => {
    const result = await run("cat; read x || echo no input; tty; test -t 1 || echo no terminal; (: < /dev/tty) 2>&1");
    expect(result.text).toMatch(/^no input\nnot a tty\nno terminal\n.*No such device or address/);
  });

  it("contains only the variables that commands need, and no secrets", async () => {
    process.env.HARNESS_TEST_API_KEY = "sk-1";
    const env = Object.fromEntries((await run("env")).text.split("\n").map((line) => line.split("=", 2)));
    delete process.env.HARNESS_TEST_API_KEY;
    expect(env).toMatchObject({ HARNESS: "1", MINE: "yes", TERM: "dumb", PAGER: "cat", GIT_TERMINAL_PROMPT: "0" });
    expect(Object.keys(env)).not.toContain("MY_TOKEN");
    expect(Object.keys(env)).not.toContain("HARNESS_TEST_API_KEY");
    expect(Object.keys(env)).not.toContain("NODE_ENV");
  });

  it("has the session's folder as working folder, or an empty one when that is gone", async () => {
    expect((await run("pwd")).text).toBe(trial.root);
    rmSync(trial.root, { recursive: true });
    const result = await run("pwd; ls -A");
    expect(result.status).toBe("ok");
    expect(result.text).toContain(`The session's folder ${trial.root} cannot be entered (it does not exist)`);
    const stand = result.text.split("\n")[0] ?? "";
    expect(stand).not.toBe(trial.root);
    expect(existsSync(stand)).toBe(false);
    expect((await run(`mkdir -p ${trial.root}`)).status).toBe("ok");
    expect((await run("pwd")).text).toBe(trial.root);
  });

  it("reports why a command cannot be started in it", async () => {
    expect((await run(" ")).text).toContain("The command is empty");
    expect((await run("echo \0")).text).toContain("NUL character");
    expect((await run("x".repeat(200_000))).text).toContain("too long for the system");
    const file = trial.file("file");
    expect((await trial.run(bash, { command: "pwd" }, { cwd: file })).text).toContain("is no longer a folder");
  });
});

describe("a process that a command leaves behind", () => {
  const pidIn = (name: string) => Number(trial.text(name));
  /** Cancels as soon as the command says something. */
  const runUntilHeard = (command: string) => {
    const stop = new AbortController();
    return trial.run(bash, { command }, { signal: stop.signal, emit: () => stop.abort() });
  };

  it.each([
    ["holding the output", "sleep 300 & echo $! > pid; echo done"],
    ["with its outputs elsewhere", "sleep 300 > /dev/null 2>&1 & echo $! > pid; echo done"],
    [
      "in a session of its own",
      "setsid sh -c 'echo $$ > pid; exec sleep 300' & until [ -s pid ]; do :; done; echo done",
    ],
    ["with a name for an output", "sleep 300 & echo $! > pid; echo done > /dev/stderr"],
  ])("is ended and named when it is a background process %s", async (_what, command) => {
    const result = await run(command);
    expect(result.text).toMatch(
      /^done\n\[still running in the background when the command ended, and stopped: s\w+\]$/,
    );
    expect(result.status).toBe("ok");
    expect(isAlive(pidIn("pid"))).toBe(false);
  });

  it("is ended after the time limit", async () => {
    const result = await run("echo $$ > pid; sleep 300", 1000);
    expect(result.text).toBe(
      "(no output)\n[stopped: not finished after 1 second, with everything it had started. " +
        "Allow more with timeout_ms (up to 600000), or do less.]",
    );
    expect(result.status).toBe("error");
    expect(isAlive(pidIn("pid"))).toBe(false);
  });

  it("is ended when the signal aborts, and its output is kept", async () => {
    const result = await runUntilHeard("echo $$ > pid; echo working; sleep 300");
    expect(result.text).toBe("working\n[cancelled: stopped, with everything it had started]");
    expect(isAlive(pidIn("pid"))).toBe(false);
  });

  it.runIf(process.platform === "linux")("is ended even without the mark in its environment", async () => {
    const hidden = (name: string) => `env -i setsid sh -c 'trap "" TERM; echo $$ > ${name}; exec sleep 300'`;
    const sleeps = '[ -s lost ] && [ "$(cat $all/$(cat lost)/comm)" = sleep ]';
    // Without a mark it is known by the output that it holds: the command must live until that has been looked up.
    const waits = `until ${sleeps}; do :; done; echo one; until [ -e go ]; do :; done; echo two`;
    const command = `all=/proc; ${hidden("lost")} & ${waits}`;
    const { text } = await trial.run(bash, { command }, { emit: () => void trial.file("go") });
    expect(text).toBe("one\ntwo\n[still running in the background when the command ended, and stopped: sleep]");
    expect(isAlive(pidIn("lost"))).toBe(false);
    await runUntilHeard(`rm lost; ${hidden("lost")} >/dev/null 2>&1 & until [ -s lost ]; do :; done; echo going; wait`);
    expect(isAlive(pidIn("lost"))).toBe(false);
  });

  it("is ended with its children, escaped processes, and those that ignore SIGTERM", async () => {
    const result = await runUntilHeard(
      "trap '' TERM; sleep 300 & echo $! > child; echo $$ > shell; " +
        "setsid sh -c 'echo $$ > escaped; exec sleep 300' & " +
        "(setsid sh -c 'trap \"\" TERM; echo $$ > daemon; exec sleep 300' > /dev/null 2>&1 &); " +
        "until [ -s escaped ] && [ -s daemon ]; do :; done; echo going; wait",
    );
    expect(result.text).toMatch(/^going\n\[cancelled/);
    for (const name of ["shell", "child", "escaped", "daemon"]) expect(isAlive(pidIn(name)), name).toBe(false);
  });

  it("is ended even if there are hundreds of them", async () => {
    await runUntilHeard("echo $$ > pid; for i in $(seq 300); do sleep 300 & done; echo all; wait");
    expect(await groupMembers(pidIn("pid"))).toEqual([]);
  });

  it("has time to clean up after SIGTERM", async () => {
    const result = await runUntilHeard("trap 'echo tidy > tidied; exit' TERM; echo ready; sleep 300 & wait");
    expect(result.text).toMatch(/^ready\n\[cancelled/);
    expect(trial.text("tidied")).toBe("tidy\n");
  });

  it("is found by a mark in its environment that no other call shares", async () => {
    await run("echo $HARNESS_CALL_ID > one");
    await run("echo $HARNESS_CALL_ID > two");
    expect(trial.text("one")).not.toBe(trial.text("two"));
    expect(await markedProcesses(trial.text("two").trim())).toEqual([]);
  });
});

it("a command runs in a folder that is a link or has special characters in its name", async () => {
  mkdirSync(join(trial.root, "a b'c\n$d"));
  symlinkSync("a b'c\n$d", join(trial.root, "link"));
  const result = await trial.run(bash, { command: "ls -A; touch 'x y'" }, { cwd: join(trial.root, "link") });
  expect(result.text).toBe("(no output)");
  expect(existsSync(join(trial.root, "a b'c\n$d", "x y"))).toBe(true);
});

describe.runIf(process.platform === "linux")("a daemon that left its group and its environment", () => {
  it("is named when the command ends, and others are not", async () => {
    const result = await run(
      `env -i setsid sh -c 'echo $$ > pid; exec sleep 300' </dev/null >/dev/null 2>&1 & ` +
        'until [ -s pid ] && [ "$(cat "/proc/$(cat pid)/comm")" = sleep ]; do :; done',
    );
    const pid = Number(trial.text("pid"));
    try {
      expect(result.text).toBe("(no output)\n[may be left running, as a daemon of its own: sleep]");
      expect(isAlive(pid)).toBe(true);
      expect((await run("true")).text).toBe("(no output)");
    } finally {
      process.kill(pid, "SIGKILL");
    }
  });
});

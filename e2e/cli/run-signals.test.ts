import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HarnessProcess, linesOf, resultOf, TestHome } from "../../packages/cli/test/harness-process.ts";

let server: ModelServer;
let place: TestHome;

/** A command that writes its process id to a file and then takes forever. */
/** A model that repeats itself is stopped. */
const manyWords = Array.from({ length: 100_000 }, (_, n) => `many words ${n} `).join("");
const endless = (name: string, trap = "") =>
  turns.call(
    "bash",
    { command: `${trap}echo $$ > ${name}.pid; while :; do echo tick; sleep 0.2; done` },
    { text: "I wait." },
  );

const lane = (name: string, trap?: string) => ({ match: name, turns: [endless(name, trap), turns.say("Never said.")] });

beforeAll(async () => {
  const names = ["interrupt", "terminate", "hangup", "reader", "bug", "user signal"];
  server = await startModelServer({
    scenario: {
      name: "runs that are ended from outside",
      lanes: [
        ...names.map((name) => lane(name)),
        lane("stubborn", "trap '' TERM; "),
        { match: "much", turns: [turns.say(manyWords, { repeat: "always" })] },
      ],
      turns: [turns.say("Hello there.", { repeat: "always" })],
    },
  });
  place = new TestHome(server.environment);
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

const start = (name: string, ...flags: string[]): HarnessProcess =>
  place.start(["run", "--permission-mode", "allow-all", "--json", "--include-partial", ...flags, name]);

/** The writing end of a pipe whose reader has gone. */
function unreadPipe(): number {
  const path = join(place.root, "unread");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  closeSync(reader);
  rmSync(path);
  return writer;
}

const CLIENT = { name: "test", version: "1" };

/** The command of a tool runs. */
async function atWork(name: string, ...flags: string[]): Promise<HarnessProcess> {
  const harness = start(name, ...flags);
  await harness.says("stdout", "tool_output_chunk");
  return harness;
}

function isAlive(name: string): boolean {
  const pid = Number(readFileSync(join(place.cwd, `${name}.pid`), "utf8"));
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

// One after another: a run has two seconds to end.
describe("a signal to a run", () => {
  it.each([
    ["SIGINT", "interrupt", 130, "Interrupted."],
    ["SIGTERM", "terminate", 143, "Ended by SIGTERM."],
    ["SIGHUP", "hangup", 129, "The terminal was closed."],
  ] as const)("ends the turn in order and is reported as the result: %s", async (signal, name, code, message) => {
    const harness = await atWork(name);
    harness.child.kill(signal);
    const ended = await harness.ended;
    expect([ended.code, ended.signal]).toEqual([code, null]);
    const lines = linesOf(ended.stdout);
    expect(lines.at(-1)).toMatchObject({
      type: "result",
      subtype: "cancelled",
      isError: true,
      exitCode: code,
      stopReason: "cancelled",
      result: "I wait.",
      error: { message },
    });
    // The stream is complete: the call has its outcome and the turn its end.
    expect(lines.at(-2)).toMatchObject({
      update: { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" },
    });
    expect(lines.filter(({ update }) => (update as { outcome?: object })?.outcome)).toHaveLength(1);
    expect(ended.stderr.split("\n")[0]).toMatch(`harness: ${message}`);
    expect(isAlive(name)).toBe(false);
  });

  it("ends the process at once the second time", async () => {
    const harness = await atWork("stubborn");
    harness.child.kill("SIGINT");
    await harness.says("stderr", "harness: Interrupted. Interrupt again to end at once.");
    harness.child.kill("SIGINT");
    const ended = await harness.ended;
    expect([ended.code, ended.signal]).toEqual([130, null]);
    expect(linesOf(ended.stdout).some(({ type }) => type === "result")).toBe(false);
  });
});

// Concurrent: most of their time is the patience of the program.
describe.concurrent("a program whose streams or whose end are odd", () => {
  describe("a signal before the prompt", () => {
    it("leads to a result even while stdin is still being read", async () => {
      const harness = place.start(["run", "--output-format", "json"], { stdin: "pipe" });
      await harness.says("stderr", "reading the prompt from stdin");
      harness.child.kill("SIGINT");
      const ended = await harness.ended;
      expect(ended.code).toBe(130);
      expect(resultOf(ended)).toMatchObject({ subtype: "cancelled", stopReason: null, sessionId: null, result: "" });
    });
  });

  describe("a reader that stops reading, but keeps its pipe open", () => {
    it.each([
      ["SIGTERM", 143],
      ["SIGHUP", 129],
    ] as const)("does not keep a run from ending at the first %s", async (signal, code) => {
      const harness = start(`much ${signal}`);
      await harness.says("stdout", "agent_message_chunk");
      harness.child.stdout?.pause();
      harness.child.kill(signal);
      // The pipe itself is never closed, because nobody reads it to its end.
      expect(await once(harness.child, "exit")).toEqual([code, null]);
    });

    it("does not keep a server from ending at the first SIGTERM", async () => {
      const harness = place.start(["serve", "--stdio"], { stdin: "pipe" });
      const request = (id: number, method: string, params: object) =>
        harness.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      request(1, "initialize", { protocolVersions: ["1"], clientInfo: CLIENT });
      await harness.says("stdout", '"id":1');
      harness.child.stdout?.pause();
      for (let id = 2; id < 60; id += 1) request(id, "settings/get", {});
      harness.child.kill("SIGTERM");
      expect(await once(harness.child, "exit")).toEqual([143, null]);
    });
  });

  describe("SIGUSR1", () => {
    it("opens no debugger in a run, which goes on", async () => {
      const harness = await atWork("user signal");
      harness.child.kill("SIGUSR1");
      const { length } = harness.stdout;
      await harness.says("stdout", () => harness.stdout.length > length);
      harness.child.kill("SIGTERM");
      const { code, stderr } = await harness.ended;
      expect(code).toBe(143);
      expect(stderr).toBe("harness: Ended by SIGTERM.\n");
    });

    it("opens no debugger in a server, which goes on", async () => {
      const harness = place.start(["serve", "--stdio"], { stdin: "pipe" });
      const hello = {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersions: ["1"], clientInfo: CLIENT },
      };
      harness.child.stdin?.write(`${JSON.stringify(hello)}\n`);
      await harness.says("stdout", '"id":1');
      harness.child.kill("SIGUSR1");
      harness.child.stdin?.end(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "shutdown", params: {} })}\n`);
      const { code, stdout, stderr } = await harness.ended;
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain('"id":2');
    });
  });

  describe("a reader that closes its pipe", () => {
    it("ends the run quietly, with the processes that it started", async () => {
      const harness = await atWork("reader");
      harness.child.stdout?.destroy();
      const { code, stderr } = await harness.ended;
      expect(code).toBe(141);
      expect(stderr).toBe("");
      expect(isAlive("reader")).toBe(false);
    });

    it.each([["run", "hi"], ["run", "--json", "hi"], ["help"], ["--version"]])(
      "causes no stack trace: %s %s %s",
      async (...args) => {
        const stdout = unreadPipe();
        const { code, signal, stderr } = await place.run(args, { stdout }).finally(() => closeSync(stdout));
        // A shell that prints the version itself is ended by the signal, which other shells report as 141.
        expect(signal === "SIGPIPE" ? 141 : code).toBe(141);
        expect(stderr).toBe("");
      },
    );

    it("does not end the run when the pipe is stderr", async () => {
      const harness = place.start(["run", "hi"], { stdin: "pipe" });
      harness.child.stderr?.destroy();
      expect(await harness.ended).toMatchObject({ code: 0, stdout: "Hello there.\n" });
    });
  });

  describe("an internal error of a run", () => {
    it("is reported as a result, with a stack trace", async () => {
      const crash = `process.on("SIGUSR2", () => { throw new Error("boom"); })`;
      const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` };
      const harness = place.start(["run", "--permission-mode", "allow-all", "--json", "--include-partial", "bug"], {
        env,
      });
      await harness.says("stdout", "tool_output_chunk");
      harness.child.kill("SIGUSR2");
      const { code, stdout, stderr } = await harness.ended;
      expect(code).toBe(1);
      expect(linesOf(stdout).at(-1)).toMatchObject({
        type: "result",
        subtype: "error",
        exitCode: 1,
        error: { kind: "failed", message: "Something went wrong inside harness: boom" },
      });
      expect(stderr).toMatch(/^harness: internal error: Error: boom\n\s+at /);
      expect(isAlive("bug")).toBe(false);
    });

    it.skipIf(process.platform !== "linux").each(["text", "json", "stream-json"])(
      "is reported once when the disk of stdout is full (%s)",
      async (format) => {
        const stdout = openSync("/dev/full", "w");
        const ended = await place.run(["run", "--output-format", format, "hi"], { stdout });
        closeSync(stdout);
        expect(ended).toMatchObject({ code: 1, stderr: "harness: The output cannot be written: ENOSPC.\n" });
      },
    );
  });
});

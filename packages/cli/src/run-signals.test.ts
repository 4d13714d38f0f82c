import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, startModelServer, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HarnessProcess, linesOf, Place, resultOf } from "./testing/harness-process.ts";

let server: ModelServer;
let place: Place;

/** A command that writes its process id down and then takes for ever. */
const endless = (name: string, trap = "") =>
  turns.call("bash", { command: `${trap}echo $$ > ${name}.pid; echo ready; while :; do sleep 1; done` }, { text: "I wait." });

const lane = (name: string, trap?: string) => ({ match: name, turns: [endless(name, trap), turns.say("Never said.")] });

beforeAll(async () => {
  const names = ["interrupt", "terminate", "hangup", "reader", "timed", "bug"];
  server = await startModelServer({
    scenario: {
      name: "runs that are ended from outside",
      lanes: [...names.map((name) => lane(name)), lane("stubborn", "trap '' TERM; ")],
      turns: [turns.say("Hello there.", { repeat: "always" })],
    },
  });
  place = new Place(server.environment);
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

const start = (name: string, ...flags: string[]): HarnessProcess =>
  place.start(["run", "--permission-mode", "auto", "--json", "--include-partial", ...flags, name]);

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

describe.concurrent("a signal", () => {
  it.each([
    ["SIGINT", "interrupt", 130, "Interrupted."],
    ["SIGTERM", "terminate", 143, "Ended by SIGTERM."],
    ["SIGHUP", "hangup", 129, "The terminal went away."],
  ] as const)("%s ends the turn in order and is told as the result", async (signal, name, code, message) => {
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
    // The stream is whole: the call has its outcome and the turn its end.
    expect(lines.at(-2)).toMatchObject({ update: { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" } });
    expect(lines.filter(({ update }) => (update as { outcome?: object })?.outcome)).toHaveLength(1);
    expect(ended.stderr.split("\n")[0]).toMatch(`harness: ${message}`);
    expect(isAlive(name)).toBe(false);
  });

  it("a second time ends the process at once", async () => {
    const harness = await atWork("stubborn");
    harness.child.kill("SIGINT");
    await harness.says("stderr", "harness: Interrupted. Once more ends it at once.");
    harness.child.kill("SIGINT");
    const ended = await harness.ended;
    expect([ended.code, ended.signal]).toEqual([130, null]);
    expect(linesOf(ended.stdout).some(({ type }) => type === "result")).toBe(false);
  });

  it("is a result even while the prompt is still awaited", async () => {
    const harness = place.start(["run", "--output-format", "json"], { stdin: "pipe" });
    await harness.says("stderr", "reading the prompt from stdin");
    harness.child.kill("SIGINT");
    const ended = await harness.ended;
    expect(ended.code).toBe(130);
    expect(resultOf(ended)).toMatchObject({ subtype: "cancelled", stopReason: null, sessionId: null, result: "" });
  });
});

describe.concurrent("a reader that goes away", () => {
  it("ends the run quietly, and what it had started", async () => {
    const harness = await atWork("reader");
    harness.child.stdout?.destroy();
    // The end of the turn is what finds the pipe closed: a command that is told to stop.
    const pid = Number(readFileSync(join(place.cwd, "reader.pid"), "utf8"));
    process.kill(-pid, "SIGTERM");
    const { code, stderr } = await harness.ended;
    expect(code).toBe(141);
    expect(stderr).toBe("");
    expect(isAlive("reader")).toBe(false);
  });

  it.each([["run", "hi"], ["run", "--json", "hi"], ["help"], ["--version"], ["run", "--output-format", "json", ""]])(
    "is no reason for a trace: %s %s %s",
    async (...args) => {
      const harness = place.start(args);
      harness.child.stdout?.destroy();
      const { code, stderr } = await harness.ended;
      expect(code).toBe(141);
      expect(stderr).toBe("");
    },
  );

  it("of stderr is no reason to stop", async () => {
    const harness = place.start(["run", "-v", "-f", harness_file(), "hi"]);
    harness.child.stderr?.destroy();
    expect(await harness.ended).toMatchObject({ code: 0, stdout: "Hello there.\n" });
  });
});

describe.concurrent("an output that cannot be written", () => {
  it.skipIf(process.platform !== "linux")("is said in a sentence", () => {
    for (const format of ["text", "stream-json"]) {
      const shell = `"$0" "$1" run --output-format ${format} hi > /dev/full`;
      const failed = runShell(shell);
      expect(failed).toEqual({ status: 1, stderr: "harness: The output cannot be written: ENOSPC.\n" });
    }
  });
});

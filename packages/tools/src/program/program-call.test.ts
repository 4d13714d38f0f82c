// Executables that are tools, run as calls: outside of a sandbox, and in a real one.
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { realSandbox, sandboxWith } from "../../test/available-sandbox.ts";
import { createTrial, type Trial } from "../../test/trial.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { type ProgramCall, runProgramCall } from "./program-call.ts";

const { sandbox, missing } = await realSandbox();
let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());
afterAll(() => sandbox.close());

function program(text: string, mode = 0o755): string {
  const path = trial.file("tools/probe", text);
  chmodSync(path, mode);
  return path;
}

async function run(path: string, over: Partial<ProgramCall> = {}, place?: Sandbox, sandboxed = place !== undefined) {
  const call: ProgramCall = {
    path,
    args: ["--exec"],
    input: '{"a":1}',
    env: { PATH: process.env.PATH ?? "", MINE: "mine" },
    timeoutMs: 15_000,
    reachesHosts: false,
    shown: "probe",
    ...over,
  };
  return await runProgramCall(call, trial.context, { ...trial.approval, sandboxed }, place);
}

describe("a call of a program", () => {
  it("gives it its input, its arguments and its variables, and joins both of its outputs", async () => {
    const result = await run(program('#!/bin/sh\necho "$1 $MINE $(cat)"; echo more >&2; pwd\n'));
    expect(result).toMatchObject({ status: "ok", text: `--exec mine {"a":1}\nmore\n${trial.root}` });
    expect(trial.emitted()).toContain("more");
  });

  it("is an answer when it does not read its input", async () => {
    const result = await run(program("#!/bin/sh\necho done\n"), { input: "x".repeat(5_000_000) });
    expect(result).toMatchObject({ status: "ok", text: "done" });
  });

  it.each<[string, string, number, string]>([
    ["no longer has a run bit", "#!/bin/sh\n", 0o644, "it is not executable; run chmod +x"],
    ["has Windows line breaks", "#!/bin/sh\r\necho\r\n", 0o755, "Windows line break"],
    ["has no interpreter", "#!/no/such/sh\n", 0o755, "the interpreter in its first line does not exist"],
  ])("says what to do where the program %s", async (_name, text, mode, words) => {
    expect(await run(program(text, mode))).toMatchObject({ status: "error", text: expect.stringContaining(words) });
  });

  it("does not run outside of a sandbox that must be used", async () => {
    const none = sandboxWith({ wanted: "on", path: "/no/such" });
    const result = await run(program("#!/bin/sh\ntouch ran\n"), {}, none);
    expect(result).toMatchObject({ status: "error", text: expect.stringContaining("must run in the sandbox") });
    expect(existsSync(join(trial.root, "ran"))).toBe(false);
    expect(await run(program("#!/bin/sh\necho out\n"), { reachesHosts: true }, none)).toMatchObject({ text: "out" });
  });
});

describe.skipIf(missing !== "")(`a call of a program in the sandbox${missing}`, () => {
  it("has its input, and changes the workspace only", async () => {
    const outside = "/etc/harness-test-file";
    const path = program(`#!/bin/sh\ncat; echo x > made; echo y > '${outside}' || exit 5\n`);
    const result = await run(path, {}, sandbox);
    expect(result.status).toBe("error");
    expect(result.text).toMatch(/^\{"a":1\}/);
    expect(result.blocks).toMatchObject([{ type: "terminal", sandboxed: true, exitCode: 5 }]);
    expect(trial.text("made")).toBe("x\n");
    expect(existsSync(outside)).toBe(false);
  });

  it("runs outside of it where the gate has allowed the hosts that it reaches", async () => {
    const result = await run(program("#!/bin/sh\necho out\n"), { reachesHosts: true }, sandbox);
    expect(result.blocks).toMatchObject([{ type: "terminal", sandboxed: false }]);
  });
});

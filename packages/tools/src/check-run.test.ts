import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isAlive } from "@harness/testkit";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { realSandbox } from "../test/available-sandbox.ts";
import { createTrial, type Trial } from "../test/trial.ts";
import { runCheck } from "./check-run.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";

const { sandbox: real, missing } = await realSandbox();
const off: Sandbox = {
  wanted: "off",
  active: false,
  allowedDomains: [],
  ready: () => Promise.resolve(),
  contain: () => Promise.resolve({ problem: "off" }),
  close: () => undefined,
};
const settings = {
  fileEncoding: "",
  extraEnv: { OF_SETTINGS: "passed" },
  folderEnv: async () => ({ variables: { OF_FOLDER: "added" }, withheld: {} }),
};

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());
afterAll(() => real.close());

type More = Partial<Parameters<typeof runCheck>[0]>;
const run = (line: string, more: More = {}) => {
  const cwd = realpathSync(trial.root);
  const signal = new AbortController().signal;
  const place = { line, cwd, roots: [cwd], sandbox: off, mayRunOutside: true, maxMs: 30_000, signal };
  return runCheck({ ...place, ...more }, settings);
};

describe("a check of the person", () => {
  it("has both outputs without control sequences, its exit code, and the environment of commands", async () => {
    const line = 'printf "\\033[31mred\\033[0m\\n"; echo $OF_SETTINGS $OF_FOLDER >&2; pwd; exit 3';
    expect(await run(line)).toEqual({ text: `red\npassed added\n${realpathSync(trial.root)}\n`, exitCode: 3 });
  });

  it("does not run outside a sandbox in a folder that is not trusted", async () => {
    expect(await run("touch ran", { mayRunOutside: false })).toMatchObject({
      why: expect.stringContaining("not trusted"),
    });
    expect(existsSync(join(trial.root, "ran"))).toBe(false);
  });

  it("does not run where it has to be contained and cannot be", async () => {
    const broken: Sandbox = { ...off, wanted: "on", why: "there is none" };
    expect(await run("touch ran", { sandbox: broken })).toEqual({ why: "is not run: the sandbox cannot contain it" });
    expect(existsSync(join(trial.root, "ran"))).toBe(false);
  });

  it("is ended with everything that it has started when it takes too long", async () => {
    const end = await run("sleep 600 & echo $! > child; wait", { maxMs: 300 });
    expect(end).toEqual({ why: "did not end within 0.3 s and was stopped" });
    expect(isAlive(Number(trial.text("child")))).toBe(false);
  });

  it("is ended with everything that it has started when the person cancels", async () => {
    const cancel = new AbortController();
    const end = run("sleep 600 & echo $! > child; wait", { signal: cancel.signal });
    while (!existsSync(join(trial.root, "child")) || trial.text("child") === "") await new Promise(setImmediate);
    cancel.abort();
    await end;
    expect(isAlive(Number(trial.text("child")))).toBe(false);
  });

  it("keeps the beginning and the end of much output", async () => {
    const end = await run('echo first; head -c 3000000 /dev/zero | tr "\\0" "x" | fold -w 100; echo; echo last');
    const text = "text" in end ? end.text : "";
    expect(text.length).toBeLessThan(600_000);
    expect(text.startsWith("first\n")).toBe(true);
    expect(text.endsWith("last\n")).toBe(true);
  });
});

describe.skipIf(missing !== "")(`a check in the sandbox${missing}`, () => {
  it("runs without trust, and changes nothing outside the workspace", async () => {
    const outside = join(dirname(realpathSync(trial.root)), "outside");
    const end = await run(`echo x > made; echo y > '${outside}'; true`, { sandbox: real, mayRunOutside: false });
    expect(end).toMatchObject({ exitCode: 0 });
    expect(trial.text("made")).toBe("x\n");
    expect(existsSync(outside)).toBe(false);
  });
});

import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type CheckedLine, readStrictLine } from "@harness/gate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createBash } from "../bash.ts";

const bash = createBash({ timeoutMs: 15_000, extraEnv: {} });

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

const run = (command: string, over = {}) => trial.run(bash, { command }, over);
const checked = (command: string): CheckedLine => {
  const line = readStrictLine(command);
  if ("outside" in line) throw new Error(`${command} is not plain enough.`);
  return line;
};

describe("row 63: a command that removes the folder it runs in", () => {
  it("makes the next command run in an empty folder and report it", async () => {
    expect((await run('rmdir "$PWD" && echo gone')).text).toBe("gone");
    const next = await run("pwd; ls -A; ls -A ..");
    expect(next.status).toBe("ok");
    expect(next.text).toContain(`The session's folder ${trial.root} cannot be entered (it does not exist)`);
    expect(next.text).toContain("It was moved or removed: tell the person");
    expect(next.text.split("\n")[0]).not.toBe(trial.root);
    expect(existsSync(trial.root)).toBe(false);
  });

  it("has no effect once the folder exists again", async () => {
    await run('rmdir "$PWD"');
    await run(`mkdir ${trial.root}`);
    expect((await run("pwd")).text).toBe(trial.root);
  });

  it("makes a read-only command report that there is nothing to read", async () => {
    await run('rmdir "$PWD"');
    const next = await run("ls", { checked: checked("ls"), roots: [trial.root] });
    expect(next.text).toContain("cannot be entered");
  });

  it("does not make the next command follow a link that replaced the folder", async () => {
    const realPaths = new Map([[trial.root, trial.root]]);
    await run('rmdir "$PWD"');
    symlinkSync("/", trial.root);
    const next = await run("pwd; touch here", { realPaths });
    expect(next.status).toBe("error");
    expect(existsSync("/here")).toBe(false);
    rmSync(trial.root);
    expect(existsSync(join(trial.root, "here"))).toBe(false);
  });
});

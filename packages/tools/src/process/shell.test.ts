import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createBash } from "../bash.ts";
import { OwnProcess } from "./own-process.ts";
import { lineCall, startFileOutside } from "./shell.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";
const here = import.meta.dirname;

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

describe("the file that bash reads before a command", () => {
  const startFile = startFileOutside([]);
  const programOf = async (env: Record<string, string>, start = startFile, command = "echo 1") =>
    (await lineCall({ command, env, startFile: start }, new OwnProcess())).file;

  it("saves another shell", async () => {
    expect(await lineCall({ command: "echo 1", env: { PATH }, startFile }, new OwnProcess())).toMatchObject({
      file: expect.stringMatching(/\/bash$/),
      args: ["--norc", "--noprofile", "-c", "echo 1", "bash"],
      env: { BASH_ENV: join(here, "command-start.sh") },
    });
  });

  it.each([
    ["names a file of its own", { BASH_ENV: "/dev/null" }],
    ["asks for the start of other shells", { POSIXLY_CORRECT: "1" }],
    ["sets options", { SHELLOPTS: "posix" }],
    ["brings functions", { "BASH_FUNC_unset%%": "() { :; }" }],
  ])("is not used where the environment %s", async (_what, env) => {
    expect(await programOf({ PATH, ...env })).toBe("/bin/sh");
  });

  it("is not used where bash is another shell", async () => {
    const folder = join(trial.root, "bin");
    mkdirSync(folder);
    symlinkSync("/bin/sh", join(folder, "bash"));
    expect(await programOf({ PATH: `${folder}:${PATH}` })).toBe("/bin/sh");
  });

  it("is not used where it lies in the workspace, also behind a link", () => {
    const link = join(trial.root, "link");
    symlinkSync(here, link);
    expect([here, dirname(here), link].map((root) => startFileOutside([trial.root, root]))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(startFileOutside([trial.root, join(here, "other")])).toBe(startFile);
  });

  it.runIf(process.platform === "linux")("limits processes as it is done without the file", async () => {
    const bash = createBash({ timeoutMs: 60_000, extraEnv: {} });
    const { text } = await trial.run(bash, { command: "ulimit -u" });
    const withoutFile = await trial.run(bash, { command: "ulimit -u" }, { roots: [trial.root, here] });
    // Others start processes meanwhile.
    expect(Math.abs(Number(text) - Number(withoutFile.text))).toBeLessThan(1000);
  });

  it.each(["$(id)", "`id`", "$HOME", "a\\b"])("is not used where bash would expand its path: %s", (name) => {
    const place = join(trial.root, name);
    writeFileSync(place, "");
    expect(startFileOutside([], place)).toBeUndefined();
    const usual = join(trial.root, "a 'b' \"c\" ~");
    writeFileSync(usual, "");
    expect(startFileOutside([], usual)).toBe(usual);
  });

  it("leaves the command as it is without the file", async () => {
    const bash = createBash({ timeoutMs: 60_000, extraEnv: {} });
    const commands = [
      "echo out; echo err >&2; echo $LINENO; true\nnowhere",
      "env | grep -E 'BASH_ENV|HARNESS_MAX'; echo $#",
      "[ $HARNESS_CALL_SESSION = $$ ] && echo leads; ulimit -f",
      "echo a\nif then",
      "sleep 0 & wait; echo $? $-",
    ];
    for (const command of commands) {
      const beside = await trial.run(bash, { command });
      const withoutFile = await trial.run(bash, { command }, { roots: [trial.root, here] });
      expect(beside.text, command).toBe(withoutFile.text);
      expect(beside.text, command).not.toBe("");
    }
  });
});

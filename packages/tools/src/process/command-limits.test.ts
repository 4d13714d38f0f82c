import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createBash } from "../bash.ts";
import { limitScript } from "./command-limits.ts";
import { findProgram } from "./find-program.ts";
import { OwnProcess } from "./own-process.ts";
import { callMark } from "./process-mark.ts";
import { markedProcesses } from "./process-table.ts";
import { runCommand } from "./run-command.ts";
import { shellArgs } from "./shell.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";
const isRoot = process.getuid?.() === 0;
/** The system does not hold root to a number of processes. Another run of this test is another user, and has another mark. */
const unusedId = 100_000 + process.pid;
const mark = `fork-bomb-${process.pid}`;
const asUnusedUser = isRoot ? `setpriv --reuid=${unusedId} --regid=${unusedId} --clear-groups ` : "";
const [prlimit, setpriv] = await Promise.all([findProgram("prlimit", PATH), findProgram("setpriv", PATH)]);
const missing = !prlimit ? " - skipped: no prlimit" : isRoot && !setpriv ? " - skipped: root, and no setpriv" : "";

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());

const own = new OwnProcess();
const bash = createBash({ timeoutMs: 60_000, extraEnv: {} });

describe.skipIf(missing !== "")(`limits of commands${missing}`, () => {
  it("stop a fork bomb, and leave no process of it", async () => {
    const bomb = `${asUnusedUser}sh -c 'while :; do sleep 300 & done'; echo ended`;
    // As the tool does it, with a tenth of the processes.
    const script = `${limitScript("sh", own, 200)}exec "$0" "$@"`;
    const words = ["/bin/sh", "-c", script, ...(await shellArgs(bomb, PATH))];
    let text = "";
    const end = await runCommand({
      command: bomb,
      words,
      cwd: trial.root,
      env: { PATH, ...callMark(mark, own) },
      own,
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      take(bytes) {
        text += bytes.toString();
        return true;
      },
    });
    expect(text).toMatch(/(Cannot fork|Resource temporarily unavailable)[\s\S]*ended\n$/);
    expect(end).toMatchObject({ reason: "exited", leftRunning: ["sleep"], survivors: [] });
    expect(await markedProcesses(mark)).toEqual([]);
    const more = await trial.run(bash, { command: "echo alive" });
    expect(more.text).toBe("alive");
  }, 60_000);

  it("allow hundreds of processes", async () => {
    const command = `${asUnusedUser}sh -c 'for i in $(seq 500); do sleep 0.01 & done; wait; echo done'`;
    expect((await trial.run(bash, { command })).text).toBe("done");
  });

  // A command that names an output device is started by bash, which counts in other blocks.
  it.each(["", "true > /dev/stderr; "])("limit a very large file, not a usual one: %j", async (before) => {
    const limits = await trial.run(bash, { command: `${before}ulimit -f; grep size /proc/self/limits` });
    expect(limits.text).toMatch(/Max file size +20000000000 +20000000000/);
    expect((await trial.run(bash, { command: `${before}truncate -s 30G huge` })).text).toMatch(/SIGXFSZ|too large/);
    expect((await trial.run(bash, { command: `${before}truncate -s 2G big` })).status).toBe("ok");
  });

  it("are not set when harness itself has stricter ones", async () => {
    const [limits, ownProcess] = ["command-limits", "own-process"].map(
      (name) => new URL(`./${name}.ts`, import.meta.url),
    );
    const source = `import { limitScript } from "${limits}"; import { OwnProcess } from "${ownProcess}";
      console.log(JSON.stringify(limitScript("sh", new OwnProcess())));`;
    const said = await new Promise((resolve) => {
      execFile(
        prlimit ?? "",
        ["--nproc=900", "--fsize=1000000000", process.execPath, "--input-type=module", "-e", source],
        (_error, stdout) => resolve(stdout.trim()),
      );
    });
    expect(said).toBe('""');
  });
});

it.runIf(existsSync("/proc/self/oom_score_adj"))(
  "commands are killed before harness when memory runs out",
  async () => {
    expect((await trial.run(bash, { command: "cat /proc/self/oom_score_adj" })).text).toBe("500");
  },
);

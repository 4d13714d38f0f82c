import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { endOrphans } from "./orphans.ts";
import { callMark, startOf } from "./process-mark.ts";

let trial: Trial;
let started: number[];
beforeEach(() => {
  trial = createTrial();
  started = [];
});
afterEach(() => {
  for (const pid of started) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended, as it should.
    }
  }
  trial.remove();
});

const pidIn = (name: string) => {
  const pid = Number(readFileSync(join(trial.root, name), "utf8"));
  started.push(pid);
  return pid;
};
const alive = (pid: number) => startOf(pid) !== undefined;

/** A separate program that runs a command like the bash tool; ready when the command says so. */
async function harnessWith(command: string, then = ""): Promise<ChildProcess> {
  const bash = fileURLToPath(new URL("../bash.ts", import.meta.url));
  const source = `
    const { createBash } = await import(${JSON.stringify(bash)});
    const context = {
      agentId: "main", cwd: ${JSON.stringify(trial.root)}, signal: new AbortController().signal,
      emit: (text) => process.stdout.write(text), spill: () => "/dev/null",
    };
    const approval = { realPaths: new Map(), roots: [context.cwd], sandboxed: false };
    await createBash({ timeoutMs: 60_000, extraEnv: {} }).run({ command: ${JSON.stringify(command)} }, context, approval);
    ${then}`;
  const harness = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(harness.pid ?? Number.NaN);
  if (harness.stdout) await once(harness.stdout, "data");
  return harness;
}

async function kill(harness: ChildProcess): Promise<void> {
  const gone = once(harness, "exit");
  harness.kill("SIGKILL");
  await gone;
}

// Servers of other tests look for orphans as well, and may be the ones that end these.
describe.runIf(process.platform === "linux")("endOrphans", () => {
  it("ends processes that a killed harness left running, including escaped ones", async () => {
    const harness = await harnessWith(
      "sleep 300 & echo $! > child; echo $$ > shell; " +
        "(setsid sh -c 'trap \"\" TERM; echo $$ > daemon; exec sleep 300' > /dev/null 2>&1 &); " +
        "timeout 300 sh -c 'echo $$ > limited; exec sleep 300' & " +
        "until [ -s daemon ] && [ -s limited ]; do :; done; echo ready; wait",
    );
    const pids = ["shell", "child", "daemon", "limited"].map(pidIn);
    await endOrphans();
    expect(pids.map(alive), "its harness lives").toEqual([true, true, true, true]);
    await kill(harness);
    await endOrphans();
    await until(() => !pids.some(alive));
  }, 20_000);

  it("ends a shell that has started nothing", async () => {
    const harness = await harnessWith("mkfifo silent; echo $$ > shell; echo ready; read -r _ <> silent; true");
    const shell = pidIn("shell");
    await endOrphans();
    expect(alive(shell), "its harness lives").toBe(true);
    await kill(harness);
    await endOrphans();
    await until(() => !alive(shell));
  }, 20_000);

  it("leaves daemons of finished commands alone", async () => {
    const harness = await harnessWith(
      "(setsid sh -c 'echo $$ > daemon; exec sleep 300' > /dev/null 2>&1 &); until [ -s daemon ]; do :; done",
      'process.stdout.write("done"); setInterval(() => undefined, 1000);',
    );
    await kill(harness);
    const daemon = pidIn("daemon");
    await endOrphans();
    expect(alive(daemon)).toBe(true);
  }, 20_000);

  it.each([
    ["has not looked yet", "endOrphansLater(600_000);"],
    ["has only asked them to end", "void endOrphans().then(() => undefined); setTimeout(() => process.exit(), 500);"],
  ])(
    "ends those that ignore SIGTERM where it exits and %s",
    async (_what, does) => {
      const env = { PATH: process.env.PATH, ...callMark(`test-${process.pid}-stubborn`, { start: "1" }) };
      const script = 'export HARNESS_CALL_SESSION=$$; trap "" TERM; echo $$ > stubborn; sleep 300; sleep 300';
      const child = spawn("sh", ["-c", script], { detached: true, env, stdio: "ignore", cwd: trial.root });
      started.push(child.pid ?? Number.NaN);
      const ended = once(child, "exit");
      await until(() => existsSync(join(trial.root, "stubborn")));
      const orphans = fileURLToPath(new URL("./orphans.ts", import.meta.url));
      const source = `const { endOrphans, endOrphansLater } = await import(${JSON.stringify(orphans)}); ${does}`;
      const short = spawn(process.execPath, ["--input-type=module", "--eval", source], { stdio: "inherit" });
      await once(short, "exit");
      expect(await ended).toEqual([null, "SIGKILL"]);
    },
    20_000,
  );

  it("does not mistake another process with the same id for the harness", async () => {
    // Like one of our children, except that its mark claims we started at a different time.
    const sleeper = (start: string) => {
      const env = { PATH: process.env.PATH, ...callMark(`test-${process.pid}-${start}`, { start }) };
      const script = "export HARNESS_CALL_SESSION=$$; exec sleep 300";
      const child = spawn("sh", ["-c", `${script}`], { detached: true, env, stdio: "ignore" });
      started.push(child.pid ?? Number.NaN);
      return child;
    };
    const ours = sleeper(startOf(process.pid) ?? "");
    const stale = sleeper("1");
    const ended = once(stale, "exit");
    await until(() => [ours, stale].every(({ pid }) => startedSleep(pid)));
    await endOrphans();
    await ended;
    expect(alive(ours.pid ?? Number.NaN)).toBe(true);
  }, 20_000);
});

const startedSleep = (pid: number | undefined) => readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n";

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 5, timeout: 60_000 }).toBe(true);
}

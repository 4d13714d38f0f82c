import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { realSandbox } from "../test/available-sandbox.ts";
import { createTrial, type Trial } from "../test/trial.ts";
import { BackgroundProcesses } from "./background/background-processes.ts";
import { createBash } from "./bash.ts";
import { startOf } from "./process/process-mark.ts";
import { createProcess } from "./process.ts";
import { removeStaleFolders } from "./sandbox/private-folder.ts";

const { sandbox, missing } = await realSandbox();
const bash = createBash({ timeoutMs: 15_000, extraEnv: {}, sandbox });

let trial: Trial;
beforeEach(() => {
  trial = createTrial();
});
afterEach(() => trial.remove());
afterAll(() => sandbox.close());

const run = (command: string, over = {}) => trial.run(bash, { command }, { sandboxed: true, ...over });
const git = "git -c user.name=n -c user.email=e";

describe.skipIf(missing !== "")(`a command in the sandbox${missing}`, () => {
  it("runs as it does outside, and its block shows that it was sandboxed", async () => {
    const result = await run("echo out; echo err >&2; pwd; echo x > made; exit 3");
    expect(result.text).toBe(`out\nerr\n${trial.root}\n[exit code 3]`);
    expect(result.blocks).toMatchObject([{ type: "terminal", exitCode: 3, sandboxed: true }]);
    expect(trial.text("made")).toBe("x\n");
  });

  it("can open its outputs by name, and has no input", async () => {
    expect((await run("echo one > /dev/stderr; cat; echo two")).text).toBe("one\ntwo");
  });

  it("uses git as usual", async () => {
    await run(`${git} init -q x 2>&1`);
    trial.file("x/a", "a");
    const result = await run(
      `cd x && git add -A && ${git} commit -qm first && git status --short && git log --format=%s`,
    );
    expect(result.text).toBe("first");
  });

  it("changes nothing outside the workspace, and its result explains why", async () => {
    const outside = join(dirname(trial.root), "outside");
    writeFileSync(outside, "old");
    const result = await run(`echo new > ${outside}; touch "$HOME/harness-test-file"; touch /etc/harness-test-file`);
    expect(result.text).toMatch(/outside: No such file or directory|Read-only file system/);
    expect(result.text).toContain("outside_sandbox: true");
    expect(existsSync("/etc/harness-test-file")).toBe(false);
    expect((await run("true")).text).toBe("(no output)");
  });

  it("has its own temporary folder, which is kept between commands", async () => {
    await run("echo kept > /tmp/note; echo more > $(mktemp)");
    expect((await run("cat /tmp/note")).text).toBe("kept");
    expect(existsSync("/tmp/note")).toBe(false);
  });

  it.each([
    ["a hook", "echo bad > .git/hooks/pre-commit"],
    ["the hooks' folder", "rm -rf .git/hooks && mkdir .git/hooks"],
    ["git's configuration", "git config core.fsmonitor bad"],
    ["the repository, to create it again", "mv .git old && cp -r old .git && echo bad > .git/hooks/x"],
    ["our own folder", "mkdir .harness; echo {} > .harness/settings.json"],
    ["an editor's folder", "mkdir -p .vscode && echo {} > .vscode/tasks.json"],
    ["a protected file", "echo bad > .npmrc"],
    ["a protected file, by another name", "ln .npmrc other && echo bad > other"],
    ["a protected file in a folder", "mv sub moved && echo bad > moved/.envrc"],
  ])("cannot change %s", async (_what, command) => {
    for (const name of [".npmrc", "sub/.envrc"]) trial.file(name, "good");
    await trial.run(bash, { command: "git init -q ." }, { sandboxed: false });
    const config = trial.text(".git/config");
    expect((await run(command)).status).toBe("error");
    expect(trial.text(".git/config")).toBe(config);
    expect(readdirSync(join(trial.root, ".git/hooks")).filter((name) => !name.endsWith(".sample"))).toEqual([]);
    expect(trial.text(".npmrc") + trial.text("sub/.envrc")).toBe("goodgood");
    // Nothing that was in the way stays.
    expect(readdirSync(trial.root).sort()).toEqual([".git", ".npmrc", "sub"]);
  });

  it("does not see secrets", async () => {
    const config = join(dirname(trial.root), "config");
    mkdirSync(config);
    writeFileSync(join(config, "credentials.json"), "secret");
    trial.file(".env", "KEY=secret");
    trial.file("app/.env.local", "KEY=secret");
    const { sandbox: own } = await realSandbox({ configFolder: config });
    const other = createBash({ timeoutMs: 15_000, extraEnv: {}, sandbox: own });
    const command = `cat .env app/.env.local ${config}/credentials.json "$HOME"/.ssh/*; true`;
    const result = await trial.run(other, { command }, { sandboxed: true });
    own.close();
    expect(result.text).not.toContain("secret");
    expect(result.text).toContain("Permission denied");
  });

  it("cannot change the kernel, see other processes, or gain privileges", async () => {
    const asked = ["/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger", "/sys/kernel"];
    const command = `for f in ${asked.join(" ")}; do test -w $f && echo writable $f; done;
      unshare -Ur true && echo namespace; mount -t tmpfs x /mnt && echo mounted; kill -0 ${process.pid} && echo seen;
      grep -h CapEff /proc/self/status; grep -h NoNewPrivs /proc/self/status`;
    const { text } = await run(command);
    expect(text).not.toMatch(/^(writable|namespace|mounted|seen)/m);
    expect(text).toMatch(/CapEff:\s+0{16}\nNoNewPrivs:\s+1/);
  });

  it("cannot reach the network, a server of this machine, or a socket of another program", async () => {
    const tcp = createServer().listen(0, "127.0.0.1");
    await once(tcp, "listening");
    const path = join(dirname(trial.root), "outside.sock");
    const unix = createServer().listen(path);
    await once(unix, "listening");
    const address = tcp.address();
    const port = typeof address === "object" ? address?.port : 0;
    const say = (to: string) =>
      `require("net").connect(${to}).on("connect",()=>console.log("reached")).on("error",()=>0)`;
    const node = `'${process.execPath}' -e`;
    const command = `${node} '${say(String(port))}'; ${node} '${say(JSON.stringify(path))}'; (: < /dev/tcp/192.0.2.1/80)`;
    const result = await run(command);
    tcp.close();
    unix.close();
    expect(result.text).not.toContain("reached");
    expect(result.text).toContain("Network is unreachable");
    expect(result.text).toContain("reaches no network");
  });

  it("leaves nothing running, and ends on cancellation or at the time limit", async () => {
    const done = await run("setsid sleep 300 > /dev/null 2>&1 & sleep 300 & echo $HARNESS_CALL_ID");
    expect(done.status).toBe("ok");
    const late = await trial.run(
      bash,
      { command: "trap '' TERM; echo on; sleep 300", timeout_ms: 700 },
      { sandboxed: true },
    );
    expect(late.text).toMatch(/^on\n\[stopped: not finished after 700 ms/);
    const stop = new AbortController();
    const cancelled = await run("echo on; sleep 300", { signal: stop.signal, emit: () => stop.abort() });
    expect(cancelled.text).toMatch(/^on\n\[cancelled/);
    expect(readdirSync(trial.root)).toEqual([]);
  });

  it("runs side by side with others in one workspace", async () => {
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        run(`sleep 0.0${i}; mkdir .harness 2>/dev/null && echo made; echo ${i} > f${i}`),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(Array(6).fill("ok"));
    expect(readdirSync(trial.root).sort()).toEqual(["f0", "f1", "f2", "f3", "f4", "f5"]);
  });

  it("ends when harness is killed", async () => {
    const here = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));
    const source = `
      const { createBash } = await import(${here("./bash.ts")});
      const { sandboxWith } = await import(${here("../test/available-sandbox.ts")});
      const context = { cwd: ${JSON.stringify(trial.root)}, signal: new AbortController().signal,
        emit: (text) => process.stdout.write(text), spill: () => "/dev/null" };
      await createBash({ timeoutMs: 60_000, extraEnv: {}, sandbox: sandboxWith() }).run({
        command: "readlink /proc/self/ns/pid; echo ready; sleep 300" }, context, { realPaths: new Map(), roots: [context.cwd], sandboxed: true });`;
    const harness = spawn(process.execPath, ["--input-type=module", "--eval", source], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    for await (const bytes of harness.stdout) {
      said += bytes;
      if (said.includes("ready")) break;
    }
    const space = /pid:\[\d+\]/.exec(said)?.[0] ?? "none";
    expect(pidsIn(space).length).toBeGreaterThan(0);
    const gone = once(harness, "exit");
    harness.kill("SIGKILL");
    await gone;
    await expect.poll(() => pidsIn(space).some((pid) => startOf(pid)), { interval: 5, timeout: 60_000 }).toBe(false);
    expect(readdirSync(trial.root)).toContain(".harness");
    await removeStaleFolders();
    expect(readdirSync(trial.root)).toEqual([]);
  });
});

function pidsIn(space: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => linkOf(`/proc/${pid}/ns/pid`) === space);
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

describe.skipIf(missing !== "")(`a process that stays in the sandbox${missing}`, () => {
  const processes = new BackgroundProcesses({ canKeep: true });
  const staying = createBash({ timeoutMs: 15_000, extraEnv: {}, sandbox, processes });
  afterAll(() => processes.close(100));

  it("is held there, takes input, cannot be kept, and hides secrets of later commands that it did not know", async () => {
    const command = "while read line; do echo $line > $line; echo did $line; done";
    const result = await trial.run(staying, { command, background: true, timeout_ms: 500 }, { sandboxed: true });
    expect(result.text).toContain("keeps running in the background as p1");
    const found = processes.find("p1");
    expect(found && processes.keep(found, { isKept: true })).toBe(
      "it runs in the sandbox, which ends with the session",
    );
    const send = (input: string) =>
      trial.run(createProcess({ processes, sandbox }), { action: "send", id: "p1", input });
    expect((await send("made\n")).text).toContain("did made");
    expect((await send("/etc/harness-made\n")).text).toContain("Read-only file system");
    expect(trial.text("made")).toBe("made\n");
    trial.file(".env", "SECRET=1");
    expect((await run("cat .env")).text).toMatch(/Permission denied/);
    await trial.run(createProcess({ processes, sandbox }), { action: "stop", id: "p1" });
    expect(existsSync("/etc/harness-made")).toBe(false);
  });
});

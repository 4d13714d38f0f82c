import { existsSync, readFileSync } from "node:fs";
import type { ProcessChange } from "@harness/core";
import type { ProcessView } from "@harness/protocol";
import { call, calling, MemorySession, saying } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTrial, type Trial } from "../../test/trial.ts";
import { createBash } from "../bash.ts";
import { startOf } from "../process/process-mark.ts";
import { groupMembers } from "../process/process-table.ts";
import { createProcess } from "../process.ts";
import type { BackgroundProcess } from "./background-process.ts";
import { BackgroundProcesses } from "./background-processes.ts";

let trial: Trial;
let processes: BackgroundProcesses;
let changes: ProcessChange[];
let arrived: (() => void)[];
beforeEach(() => {
  trial = createTrial();
  changes = [];
  arrived = [];
  processes = newProcesses([]);
});
afterEach(async () => {
  for (const each of processes.running()) each.keep(false);
  await processes.close(100);
  trial.remove();
});

function newProcesses(known: Iterable<ProcessView>, isOwn = true): BackgroundProcesses {
  const made = new BackgroundProcesses({ canKeep: true });
  const listen = (_agentId: string, change: ProcessChange) => {
    changes.push(change);
    for (const each of arrived.splice(0)) each();
  };
  made.follow(listen, known, () => isOwn);
  return made;
}

const bash = (args: object) =>
  trial.run(createBash({ timeoutMs: 15_000, extraEnv: {}, processes }), { background: true, ...args });
/** One that prints nothing at first: its first lines are not waited for. */
const quiet = (command: string) => bash({ command, timeout_ms: 1 });
const use = (args: object) => trial.run(createProcess({ processes }), args);

async function untilChange(wanted: (change: ProcessChange) => boolean): Promise<ProcessChange> {
  for (;;) {
    const found = changes.find(wanted);
    if (found) return found;
    await new Promise<void>((resolve) => arrived.push(resolve));
  }
}

const untilEnd = () => untilChange(({ state }) => state !== "running");

describe("a command in the background", () => {
  it("answers at once with an id and its first lines, and goes on", async () => {
    const result = await bash({ command: "echo ready; exec sleep 300" });
    expect(result.status).toBe("ok");
    expect(result.text).toMatch(
      /^ready\n\[It keeps running in the background as p1\. .*Everything it prints is in \/.*\.txt\.\]$/,
    );
    expect(result.blocks).toMatchObject([{ type: "terminal", output: "ready", exitCode: null, processId: "p1" }]);
    expect(changes).toMatchObject([
      { processId: "p1", state: "running", kept: false, command: "echo ready; exec sleep 300" },
    ]);
    expect(startOf(changes[0]?.pid ?? 0)).toBeDefined();
  });

  it("answers as any other command when it ends at once", async () => {
    const result = await bash({ command: "echo no such script >&2; exit 3" });
    expect(result.text).toBe("no such script\n[exit code 3]\n[it has ended: nothing keeps running in the background]");
    expect(result).toMatchObject({ status: "error", blocks: [{ exitCode: 3 }] });
    expect(changes.at(-1)).toMatchObject({ state: "exited", exitCode: 3, lastLines: "no such script" });
  });

  it("goes on when the turn is cancelled that started it", async () => {
    const stop = new AbortController();
    stop.abort();
    const tool = createBash({ timeoutMs: 15_000, extraEnv: {}, processes });
    const going = trial.run(tool, { command: "sleep 300", background: true }, { signal: stop.signal });
    expect((await going).status).toBe("error");
    const cancel = new AbortController();
    const started = trial.run(tool, { command: "sleep 300", background: true }, { signal: cancel.signal });
    await untilChange(({ state }) => state === "running");
    cancel.abort();
    expect((await started).text).toContain("keeps running in the background as p1");
    expect(processes.running()).toHaveLength(1);
  });

  it("has lasted as long as anything that it started is left in its group", async () => {
    await bash({ command: "(until [ -e go ]; do sleep 0.05; done; echo last) & echo first" });
    expect(processes.running()).toHaveLength(1);
    trial.file("go");
    expect(await untilEnd()).toMatchObject({ state: "exited", exitCode: 0, lastLines: "first\nlast" });
  });

  it("is stopped with everything that it has started, also what left its group", async () => {
    await bash({
      command: "setsid sh -c 'echo $$ > child; exec sleep 300' & until [ -s child ]; do :; done; echo up; wait",
    });
    const child = Number(trial.text("child"));
    const result = await use({ action: "stop", id: "p1" });
    expect(result.text).toBe("(nothing new)\n[stopped, with everything it had started]");
    expect(startOf(child)).toBeUndefined();
    expect(changes.at(-1)).toMatchObject({ state: "stopped", stoppedBy: "agent" });
    expect((await use({ action: "stop", id: "1" })).text).toBe("p1 has ended already: stopped.");
  });

  it("ends with the session", async () => {
    await quiet("sleep 300");
    const pid = changes[0]?.pid ?? 0;
    await processes.close(100);
    expect(startOf(pid)).toBeUndefined();
    expect(changes.at(-1)).toMatchObject({ state: "stopped", stoppedBy: "session" });
    expect((await quiet("sleep 300")).text).toBe("The command could not be started: the session is being closed.");
  });

  it("does not start in a session that is closed while it begins", async () => {
    const starting = quiet("echo $$ > began; exec sleep 300");
    await processes.close(100);
    expect((await starting).status).toBe("error");
    expect(processes.running()).toEqual([]);
    expect(existsSync(`${trial.root}/began`)).toBe(false);
  });

  it("does not start when its call is cancelled before that", async () => {
    const cancel = new AbortController();
    const tool = createBash({ timeoutMs: 15_000, extraEnv: {}, processes });
    const over = { signal: cancel.signal };
    const starting = trial.run(tool, { command: "echo $$ > began; exec sleep 300", background: true }, over);
    cancel.abort();
    expect((await starting).text).toBe("The command could not be started: it was cancelled before that.");
    expect(existsSync(`${trial.root}/began`)).toBe(false);
  });

  it("refuses the twenty-first", async () => {
    for (let i = 0; i < 20; i++) await quiet("sleep 300");
    expect((await quiet("sleep 300")).text).toMatch(/^20 processes already run in the background/);
    await processes.stop(processes.running()[0] as BackgroundProcess, "agent");
    const both = await Promise.all([quiet("sleep 300"), quiet("sleep 300")]);
    expect(both.map(({ status }) => status)).toEqual(["ok", "error"]);
  });
});

describe("the output of a process", () => {
  it("is shown once: each look has what is new", async () => {
    await bash({
      command: "echo one; until [ -e go ]; do sleep 0.02; done; echo two; exec sleep 300",
      pattern: "one",
    });
    expect((await use({ action: "output", id: "p1" })).text).toBe("(nothing new)\n[still running]");
    trial.file("go");
    expect((await use({ action: "output", id: "p1", wait_ms: 10_000 })).text).toBe("two\n[still running]");
  });

  it("can be read after the end", async () => {
    await bash({ command: "echo a; echo b; until [ -e go ]; do sleep 0.02; done; exit 2", pattern: "b" });
    trial.file("go");
    await untilEnd();
    expect((await use({ action: "output", id: "p1" })).text).toBe("(nothing new)\n[ended with exit code 2]");
    expect(readFileSync(changes[0]?.outputPath ?? "", "utf8")).toBe("a\nb\n");
  });

  it("is waited for by a pattern, and announced later where it does not come in time", async () => {
    const result = await bash({
      command: "until [ -e go ]; do sleep 0.02; done; echo Local: :5173; exec sleep 300",
      pattern: "Local:.*\\d+",
      timeout_ms: 50,
    });
    expect(result.text).toMatch(/^\(no output yet\)/);
    trial.file("go");
    expect(await untilChange(({ matched }) => matched !== undefined)).toMatchObject({
      state: "running",
      matched: "Local: :5173",
    });
    const again = await use({ action: "output", id: "p1", pattern: "never", wait_ms: 1 });
    expect(again.text).toBe("Local: :5173\n[no line matches so far; you are told when one does]");
    expect((await use({ action: "output", id: "p1", pattern: "(" })).text).toMatch(
      /^The pattern is not a valid regular expression/,
    );
  });

  it("is kept up to a limit in its file, and shown up to another", async () => {
    await bash({ command: "echo up; read go; yes 1234567 | head -c 32000000; echo end", pattern: "up" });
    const first = await use({ action: "send", id: "p1", input: "go\n" });
    await untilEnd();
    const rest = await use({ action: "output", id: "p1" });
    for (const { text } of [first, rest]) expect(text.length).toBeLessThan(17_000);
    expect(`${first.text}\n${rest.text}`).toMatch(/\[… \d+\.\d MB before this left out; it is in .*\]\n/);
    // The first output may end anywhere.
    expect(`${first.text}\n${rest.text}`).toMatch(/\nend\n/);
    expect(rest.text).toMatch(/\[(it has )?ended/);
    const path = changes[0]?.outputPath ?? "";
    expect(readFileSync(path).length).toBeLessThan(20_000_001);
    expect(readFileSync(path, "utf8").endsWith("\n1234567\nend\n")).toBe(true);
  }, 60_000);
});

describe("output that overwrites itself", () => {
  const frames = (name: string) =>
    `echo begin ${name}; i=0; while [ $i -lt 1500 ]; do printf "\\r${name}: %d of 1500 [=======>        ]" $i; i=$((i+1)); done; echo; echo end ${name}; `;

  it("is folded before it is cut, so that the lines between progress bars stay", async () => {
    await bash({ command: `echo up; read go; ${frames("fetch")}${frames("unpack")}`, pattern: "up" });
    const first = await use({ action: "send", id: "p1", input: "go\n" });
    await untilEnd();
    const rest = await use({ action: "output", id: "p1" });
    const text = `${first.text}\n${rest.text}`;
    expect(text).not.toContain("left out");
    for (const name of ["fetch", "unpack"]) expect(text).toMatch(new RegExp(`begin ${name}\\n[^]*end ${name}`));
    expect(text).toContain("unpack: 1499 of 1500");
  });

  it("is watched frame by frame: the line that matches is shown, not the frames before it", async () => {
    await bash({
      command: `echo up; read go; printf 'begin\\r%0500d\\rready on 5173\\n' 0; exec sleep 300`,
      pattern: "up",
    });
    changes.splice(0);
    await use({ action: "output", id: "p1", pattern: "^ready", wait_ms: 1 });
    await use({ action: "send", id: "p1", input: "go\n" });
    expect(await untilChange(({ matched }) => matched !== undefined)).toMatchObject({ matched: "ready on 5173" });
  });

  it("is folded in the last lines that people and the agent are shown", async () => {
    await quiet(`read go; echo built; ${frames("copy")}`);
    await use({ action: "send", id: "p1", input: "go\n" });
    const ended = await untilEnd();
    expect(ended).toMatchObject({ lastLines: "built\nbegin copy\ncopy: 1499 of 1500 [=======>        ]\nend copy" });
  });
});

describe("the input of a process", () => {
  it("reaches it line by line, and stays open", async () => {
    await bash({ command: "echo up; while read line; do echo got $line; done", pattern: "up" });
    expect((await use({ action: "send", id: "p1", input: "a\n" })).text).toBe("got a\n[still running]");
    expect((await use({ action: "send", id: "p1", input: "b\n" })).text).toBe("got b\n[still running]");
  });

  it("is refused by one that has ended or takes none", async () => {
    await bash({ command: "exec < /dev/null; echo up; exec sleep 300", pattern: "up" });
    expect((await use({ action: "send", id: "p1", input: "a" })).text).toBe("p1 got no input: it takes no input.");
    await use({ action: "stop", id: "p1" });
    expect((await use({ action: "send", id: "p1", input: "a" })).text).toBe("p1 got no input: it has ended.");
  });

  it("interrupts with Ctrl+C", async () => {
    await bash({ command: "trap 'echo int; exit 5' INT; echo up; while :; do sleep 0.05; done", pattern: "up" });
    await use({ action: "send", id: "p1", input: "\x03" });
    expect(await untilEnd()).toMatchObject({ exitCode: 5, lastLines: "up\nint" });
  });

  it("is judged as the same text in a pipe to the command, and looking and interrupting are not", async () => {
    await quiet("cat");
    const tool = createProcess({ processes });
    const effects = (args: object) => [tool.effects(args, "/w"), tool.categoryOf?.(args)];
    const cwd = trial.root;
    expect(effects({ action: "send", id: "p1", input: "rm -rf 'x'\n" })).toEqual([
      [
        {
          kind: "run",
          command: `printf %s 'rm -rf '\\''x'\\''\n' | cat`,
          cwd,
          sent: { to: "cat", text: "rm -rf 'x'\n", before: "" },
        },
      ],
      "destructive",
    ]);
    expect(effects({ action: "send", id: "p1", input: "\x03" })).toEqual([[], "readOnly"]);
    for (const action of ["list", "output", "stop"]) expect(effects({ action, id: "p1" })).toEqual([[], "readOnly"]);
    expect(effects({ action: "send", id: "p9", input: "x" })).toEqual([[], "readOnly"]);
  });
});

describe("where what is sent runs", () => {
  const sandbox = (wanted: "off" | "auto", why?: string) => ({
    wanted,
    active: why === undefined,
    why,
    ready: async () => undefined,
  });
  const effect = (view?: ReturnType<typeof sandbox>) => {
    const tool = createProcess({ processes, ...(view ? { sandbox: view } : {}) });
    const [first] = tool.effects({ action: "send", id: "p1", input: "ls\n" }, "/w");
    return first?.kind === "run" ? first : undefined;
  };

  it("is outside of the sandbox for a process that is not contained, where there is one", async () => {
    await quiet("cd src && bash");
    expect(effect(sandbox("auto"))).toMatchObject({
      command: "printf %s 'ls\n' | {\ncd src && bash\n}",
      outside: true,
    });
    for (const view of [undefined, sandbox("off"), sandbox("auto", "it is not installed")])
      expect(effect(view)).not.toHaveProperty("outside");
  });

  it("goes on from all that it was sent, which of a process that is found again is not known", async () => {
    await bash({ command: "echo up; while read line; do echo got $line; done", pattern: "up" });
    await use({ action: "send", id: "p1", input: "a" });
    await use({ action: "send", id: "p1", input: "b\n" });
    expect(effect()?.sent).toEqual({ to: expect.any(String), text: "ls\n", before: "ab\n" });
    if (process.platform !== "linux") return;
    const found = processes.find("p1");
    if (found) processes.keep(found, { isKept: true });
    const [view] = await processes.views();
    await processes.close(100);
    processes = newProcesses(view ? [view] : []);
    expect(effect(sandbox("auto"))).toMatchObject({ outside: true, cwd: "/w" });
    expect(effect()?.sent).not.toHaveProperty("before");
  });

  it("is no longer known once it was sent too much", async () => {
    await quiet("cat > /dev/null");
    for (let at = 0; at < 5; at += 1) await use({ action: "send", id: "p1", input: `${"x".repeat(5_000)}\n` });
    expect(effect()?.sent).not.toHaveProperty("before");
  }, 30_000);
});

describe("several calls about processes in one reply", () => {
  it("run in their order: what follows a stop sees the process stopped", async () => {
    await quiet("exec sleep 300");
    const calls = ["stop", "output"].map((action) => call(action, "process", { action, id: "p1" }));
    const memory = new MemorySession({
      script: [calling(...calls), saying("done")],
      tools: [createProcess({ processes })],
    });
    await memory.say("go");
    const messages = memory.provider.requests.at(-1)?.messages ?? [];
    const texts = messages.flatMap((each) => (each.role === "tool" ? [each.text] : []));
    expect(texts).toEqual(["(nothing new)\n[stopped, with everything it had started]", "(nothing new)\n[stopped]"]);
  });

  it("wait for each other where one changes a process", () => {
    const { concurrency } = createProcess({ processes });
    const alone = ["list", "output", "send", "stop"].filter(
      (action) => concurrency?.({ action, id: "p1" }) === "alone",
    );
    expect(alone).toEqual(["send", "stop"]);
  });
});

describe("the list of processes", () => {
  it("has state, ports and the last line of each, those that run first", async () => {
    await bash({ command: "exit 1" });
    const server = `require("net").createServer().listen(0, "127.0.0.1", function () { console.log("port", this.address().port) })`;
    await bash({ command: `${process.execPath} -e '${server}'`, pattern: "port", timeout_ms: 20_000 });
    // The result of the call has the line already.
    expect(changes.filter(({ matched }) => matched !== undefined)).toEqual([]);
    const [running, ended] = await processes.views();
    const port = Number(/port (\d+)/.exec(running?.lastLine ?? "")?.[1]);
    expect(running).toMatchObject({ processId: "p2", agentId: "main", state: "running", ports: [port] });
    expect(ended).toMatchObject({ processId: "p1", state: "exited", exitCode: 1, ports: [] });
    const { text } = await use({ action: "list" });
    expect(text).toContain(`p2: running, port ${port}: ${process.execPath}`);
    expect(text).toContain("p1: ended with exit code 1: exit 1");
    expect((await use({ action: "output", id: "p7" })).text).toBe("There is no process `p7`. Running: p2.");
  }, 30_000);

  it("is empty in words", async () => {
    expect((await use({ action: "list" })).text).toBe("Nothing runs in the background.");
  });
});

describe.runIf(process.platform === "linux")("a process that a person wants to go on", () => {
  it("outlives its session, and is found again by the next one", async () => {
    await bash({ command: "echo up; while read line; do echo got $line; done", pattern: "up" });
    const found = processes.find("p1");
    expect(found && processes.keep(found, { isKept: true })).toBeUndefined();
    expect(changes.at(-1)).toMatchObject({ state: "running", kept: true });
    const [view] = await processes.views();
    await processes.close(100);
    processes = newProcesses(view ? [view] : []);
    expect(processes.running().map(({ processId }) => processId)).toEqual(["p1"]);
    expect((await use({ action: "send", id: "p1", input: "x\n" })).text).toBe("got x\n[still running]");
    expect((await quiet("sleep 300")).text).toContain("as p2.");
    await use({ action: "stop", id: "p1" });
    expect(existsSync(`${view?.outputPath}.kept`)).toBe(false);
  });

  it("is found again when only what it had started goes on", async () => {
    await bash({ command: "sleep 300 & echo up", pattern: "up" });
    const found = processes.find("p1");
    expect(found && processes.keep(found, { isKept: true })).toBeUndefined();
    const [view] = await processes.views();
    await expect.poll(() => startOf(view?.pid ?? 0), { interval: 5, timeout: 60_000 }).toBeUndefined();
    await processes.close(100);
    processes = newProcesses(view ? [view] : []);
    expect(processes.running().map(({ processId }) => processId)).toEqual(["p1"]);
  });

  it("is reported as ended when it ended in between", async () => {
    await quiet("sleep 300");
    processes.find("p1")?.keep(true);
    const [view] = await processes.views();
    await processes.close(100);
    process.kill(-(view?.pid ?? 0), "SIGKILL");
    await expect
      .poll(async () => (await groupMembers(view?.pid ?? 0)) ?? [], { interval: 5, timeout: 60_000 })
      .toEqual([]);
    changes = [];
    processes = newProcesses(view ? [view] : []);
    expect(changes).toMatchObject([{ processId: "p1", state: "exited", kept: false }]);
  });

  it("is refused in a session that leaves nothing behind", async () => {
    processes = new BackgroundProcesses({ canKeep: false });
    await quiet("sleep 300");
    const found = processes.find("p1");
    expect(found && processes.keep(found, { isKept: true })).toBe("this session leaves nothing behind");
  });
});

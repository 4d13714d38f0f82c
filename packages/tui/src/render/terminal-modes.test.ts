import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { leftBehind, type OpenTerminal, openTerminal } from "../../../testkit/src/terminal/index.ts";
import { wantsKeys } from "./modes/screen-modes.ts";
import { unfitTerminal } from "./modes/terminal-streams.ts";
import { TerminalModes } from "./terminal-modes.ts";

const folder = new URL(".", import.meta.url).href;
const opened: OpenTerminal[] = [];
const listening: (() => void)[] = [];

/** A window of a few lines of code: it says on its screen what comes in, and does what `body` says. */
/** `hasJobs`: the shell has job control, so that programs can be suspended. */
function run(body: string, shellAfter = "", { hasJobs = false } = {}): OpenTerminal {
  const program = `
    import { TerminalModes } from "${folder}terminal-modes.ts";
    import { Presenter } from "${folder}presenter.ts";
    import { darkTheme } from "${folder}../theme/theme.ts";
    const { stdin: input, stdout: output } = process;
    let seen = "", resumed = 0;
    const say = (text) => output.write("\\u001b[H" + text + "\\u001b[K");
    const modes = new TerminalModes({
      input, output, process,
      onInput: (bytes) => { seen += bytes.toString("latin1"); say("in:" + JSON.stringify(seen)); onKey(bytes.toString()); },
      onResize: () => say("size:" + output.columns + "x" + output.rows),
      onResume: (how) => { resumed += 1; say(how + ":" + resumed); },
      undo: "\\u001b]9;4;0\\u001b\\\\",
    });
    let onKey = () => {};
    modes.enter();
    // Sent by the window beside its screen.
    output.write("\\u001b]2;a title\\u001b\\\\\\u001b]9;4;3\\u001b\\\\");
    ${body}
    say("ready");
  `;
  const terminal = openTerminal({
    command: hasJobs ? "bash" : "sh",
    args: [
      "-c",
      `${hasJobs ? "set -m; " : ""}"$NODE" --input-type=module -e "$PROGRAM"; echo "code:$?"; ${shellAfter}`,
    ],
    env: { NODE: process.execPath, PROGRAM: program },
    cols: 60,
    rows: 48,
  });
  opened.push(terminal);
  return terminal;
}

/** The terminal is as it was: main screen, no modes, lines and echo as a shell wants them, and nothing leaked. */
async function expectRestored(terminal: OpenTerminal, code: number): Promise<string> {
  await terminal.exit;
  const { screenModel } = terminal;
  expect(screenModel.alternate).toBe(false);
  expect(screenModel.modes).toEqual({ bracketedPaste: false, focusEvents: false, mouse: "none", wraps: true });
  expect(screenModel.cursor.shown).toBe(true);
  const text = terminal.screen().join("\n");
  expect(text).toContain(`code:${code}`);
  expect(text).toMatch(/(^|\s)icanon/);
  expect(text).toMatch(/(^|\s)echo(\s|$)/m);
  expect(leftBehind(terminal.rawOutput)).toEqual([]);
  return text;
}

const SETTINGS = "stty -a";
const KEYS = 'onKey = (key) => { if (key === "z") modes.suspend(); if (key === "q") process.exit(0); };';

afterEach(async () => {
  for (const terminal of opened.splice(0)) await terminal.close();
  for (const stop of listening.splice(0)) stop();
});

describe("TerminalModes", () => {
  it("enters the alternate screen with its modes and leaves it as it was", async () => {
    const terminal = run(
      'onKey = async (key) => { if (key === "q") { await modes.leave(); process.exit(0); } };',
      SETTINGS,
    );
    await terminal.waitFor("ready");
    expect(terminal.screenModel.alternate).toBe(true);
    expect(terminal.screenModel.modes).toEqual({
      bracketedPaste: true,
      focusEvents: true,
      mouse: "drag",
      wraps: false,
    });
    terminal.type("x");
    await terminal.waitFor('in:"x"');
    terminal.type("q");
    const text = await expectRestored(terminal, 0);
    expect(text.startsWith("code:0")).toBe(true);
  });

  it("asks for the keyboard protocols only where they are wanted, and takes them back", () => {
    const written: string[] = [];
    const none = () => undefined;
    const output = { isTTY: true, fd: 1, write: (data: string) => written.push(data) > 0, on: none, off: none };
    const input = { isTTY: true, on: none, off: none, resume: none, pause: none };
    const modes = new TerminalModes({
      ...{ input, output, process: { ...process, on: none, off: none } as never, hasKeys: false },
      ...{ onInput: none, onResize: none, onResume: none },
    });
    modes.enter();
    expect(written.join("")).not.toContain("\u001b[>5u");
    modes.askForKeys({ hasKeys: true });
    expect(written.at(-1)).toContain("\u001b[>5u");
    modes.askForKeys({ hasKeys: false });
    expect(written.at(-1)).toContain("\u001b[<u");
    expect([
      wantsKeys("auto", {}),
      wantsKeys("auto", { WT_SESSION: "1" }),
      wantsKeys(undefined, { WT_SESSION: "1" }),
    ]).toEqual([true, false, false]);
    expect([wantsKeys("on", { WT_SESSION: "1" }), wantsKeys("off", {})]).toEqual([true, false]);
  });

  it("swallows late replies of the terminal while closing", async () => {
    const terminal = run(
      'onKey = async (key) => { if (key.includes("q")) { await modes.leave(); process.exit(0); } };',
      SETTINGS,
    );
    await terminal.waitFor("ready");
    // Wheel and focus events that come while the program leaves.
    terminal.type("q\u001b[<64;3;3M\u001b[I");
    terminal.type("\u001b[<64;3;3M\u001b[O");
    const text = await expectRestored(terminal, 0);
    expect(text).not.toMatch(/\[<64|\[I|\[\?/);
  });

  it.each([
    ["exit", "process.exit(7)", 7],
    ["an uncaught error", 'throw new Error("boom")', 1],
    ["a rejection that nobody handles", 'void Promise.reject(new Error("boom"))', 1],
  ])("restores the terminal on %s", async (_, how, code) => {
    const terminal = run(`onKey = () => { setImmediate(() => { ${how} }); };`, SETTINGS);
    await terminal.waitFor("ready");
    terminal.type("x");
    const text = await expectRestored(terminal, code);
    if (code === 1) expect(text).toContain("boom");
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
  ])("restores the terminal on %s", async (signal, code) => {
    const terminal = run(`onKey = () => process.kill(process.pid, "${signal}");`, SETTINGS);
    await terminal.waitFor("ready");
    terminal.type("x");
    await expectRestored(terminal, code);
  });

  it.skipIf(process.platform !== "linux")(
    "gives the terminal back while it is stopped, and takes it again",
    async () => {
      const terminal = run(KEYS, `${SETTINGS}; read line; fg; echo "code:$?"`, { hasJobs: true });
      await terminal.waitFor("ready");
      const pid = childOf(terminal.pid);
      terminal.type("z");
      await whenStopped(pid);
      // The shell has the terminal, and a line has to be ended.
      await terminal.waitFor("code:148");
      expect(leftBehind(terminal.rawOutput)).toEqual([]);
      terminal.type("on\r");
      await terminal.waitFor("suspended:1");
      expect(terminal.screenModel.alternate).toBe(true);
      terminal.type("q");
      await expectRestored(terminal, 0);
    },
  );

  it.skipIf(process.platform !== "linux")("goes on where no shell could continue it", async () => {
    const terminal = run(KEYS, SETTINGS);
    await terminal.waitFor("ready");
    for (const count of [1, 2]) {
      terminal.type("z");
      await terminal.waitFor(`unstopped:${count}`);
    }
    expect(terminal.screenModel.alternate).toBe(true);
    terminal.type("x");
    await terminal.waitFor('in:"zzx"');
    terminal.type("q");
    await expectRestored(terminal, 0);
  });

  it.skipIf(process.platform !== "linux")(
    "sets its modes again after a stop that it could not see, while a shell had the terminal",
    async () => {
      const terminal = run('onKey = (key) => { if (key === "q") process.exit(0); };', SETTINGS);
      await terminal.waitFor("ready");
      const pid = childOf(terminal.pid);
      const tty = readlinkSync(`/proc/${pid}/fd/0`);
      process.kill(pid, "SIGSTOP");
      await whenStopped(pid);
      execFileSync("stty", ["-F", tty, "icanon", "echo", "isig", "icrnl"]);
      appendFileSync(tty, "\u001b[?1049l\u001b[?2004l\u001b[?1000l\u001b[?1004l");
      await terminal.waitFor(() => !terminal.screenModel.alternate);
      process.kill(pid, "SIGCONT");
      await terminal.waitFor("unseen:1");
      expect(terminal.screenModel.alternate).toBe(true);
      expect(terminal.screenModel.modes).toMatchObject({ bracketedPaste: true, focusEvents: true, mouse: "drag" });
      expect(execFileSync("stty", ["-F", tty, "-a"], { encoding: "utf8" })).toMatch(/-icanon.* -echo /s);
      // Without Enter: a line would have to be ended.
      terminal.type("x");
      await terminal.waitFor('in:"x"');
      terminal.type("q");
      await expectRestored(terminal, 0);
    },
  );

  it("restores the screen after a SIGKILL, which it cannot see", async () => {
    const terminal = run('await modes.watch(); onKey = () => process.kill(process.pid, "SIGKILL");', "read line");
    await terminal.waitFor("ready");
    terminal.type("x");
    await terminal.waitFor(() => leftBehind(terminal.rawOutput).length === 0);
    terminal.type("\n");
    await terminal.exit;
    expect(terminal.rawOutput).toContain("code:137");
  });

  it("is restored once by a window that was watched and left in order", async () => {
    const terminal = run(
      'await modes.watch(); onKey = async (key) => { if (key === "q") { await modes.leave(); process.exit(0); } };',
      `${SETTINGS}; read line`,
    );
    await terminal.waitFor("ready");
    terminal.type("q");
    await terminal.waitFor("code:0");
    terminal.type("\n");
    await expectRestored(terminal, 0);
    expect(terminal.rawOutput.split("\u001b[?1049l")).toHaveLength(2);
  });

  it("lets the program go on, skipping frames, while the terminal does not read", async () => {
    const aside = await listen();
    const terminal = run(`
      ${aside.connects}
      let n = 0;
      const style = { id: 0, fg: undefined, bg: undefined, attributes: 0 };
      const presenter = new Presenter({ output, theme: darkTheme, colours: "none", frameMs: 1 });
      const rows = () => Array.from({ length: 20 }, (_, y) => ({ spans: [{ text: (String(n) + "-" + y + " ").repeat(9), style }] }));
      onKey = () => {
        presenter.start(() => ({ rows: rows() }));
        const again = setInterval(() => {
          n += 1;
          presenter.requestFrame("key");
          if (presenter.stats.skipped < 20) return;
          clearInterval(again);
          aside.end("skipped " + presenter.stats.skipped, () => process.exit(0));
        }, 1);
      };
    `);
    await terminal.waitFor("ready");
    terminal.pause();
    terminal.type("x");
    expect(await aside.said).toBe("skipped 20");
    terminal.resume();
    await terminal.exit;
    expect(terminal.screenModel.alternate).toBe(false);
  });

  it.skipIf(process.platform !== "linux")("ends at a signal, though the terminal does not read", async () => {
    const aside = await listen();
    const terminal = run(`
      ${aside.connects}
      let stuck = 0;
      const more = () => {
        stuck = output.writableLength ? stuck + 1 : 0;
        if (!stuck) output.write("many words ".repeat(10_000));
        if (stuck === 1000) aside.write("stuck");
        setImmediate(more);
      };
      onKey = more;
    `);
    await terminal.waitFor("ready");
    terminal.pause();
    terminal.type("x");
    expect(await aside.said).toBe("stuck");
    process.kill(childOf(terminal.pid), "SIGTERM");
    await aside.gone;
    terminal.resume();
    await terminal.exit;
    expect(terminal.rawOutput).toContain("code:143");
  });

  it.each([
    [true, true, "xterm", undefined],
    [false, true, "xterm", "The input is not a terminal."],
    [true, false, "xterm", "The output is not a terminal."],
    [true, true, "dumb", "The terminal cannot move its cursor (TERM=dumb)."],
  ])("input %s, output %s, TERM=%s: %s", (inputTty, outputTty, term, reason) => {
    const input = { ...process.stdin, isTTY: inputTty, setRawMode: () => undefined } as never;
    expect(unfitTerminal(input, { isTTY: outputTty } as never, term)).toBe(reason);
  });
});

function childOf(pid: number): number {
  return Number(/\d+/.exec(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"))?.[0]);
}

/** Resolves when the process is stopped, and rejects when it has ended. */
async function whenStopped(pid: number): Promise<void> {
  while (!/\) T/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) await new Promise(setImmediate);
}

type Aside = {
  /** Lines of the program that connect it as `aside`. */
  connects: string;
  /** The program's first output; a substitute if it ends silently. */
  said: Promise<string>;
  /** Resolves when the process has ended. */
  gone: Promise<unknown>;
};

/** Output of a program beside its terminal, which may not be read. */
async function listen(): Promise<Aside> {
  const scratch = mkdtempSync(join(tmpdir(), "harness-modes-"));
  const path = join(scratch, "aside");
  const server = createServer().listen(path);
  listening.push(() => {
    server.close();
    rmSync(scratch, { recursive: true });
  });
  await once(server, "listening");
  const connected = once(server, "connection").then(([socket]) => socket as Socket);
  return {
    connects: `
      const { connect } = await import("node:net");
      const aside = connect(${JSON.stringify(path)});
      await new Promise((done) => aside.on("connect", done));
    `,
    said: connected.then(async (socket) => {
      const [first] = await Promise.race([once(socket, "data"), once(socket, "close")]);
      return String(first);
    }),
    gone: connected.then((socket) => once(socket, "close")),
  };
}

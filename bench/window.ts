import { mkdirSync } from "node:fs";
import { bulkPart, type ScenarioInput, startModelServer } from "@harness/testkit";
import { VirtualScreen } from "@harness/testkit/terminal";
import { type IPty, spawn } from "@lydell/node-pty";
import type { Figure } from "./figures.ts";
import { cleanEnv, freshPlace, harnessCommand } from "./headless.ts";
import { readTree, readTreeWithPss } from "./process-tree.ts";

const COLUMNS = 100;
const ROWS = 32;
const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** The window in a pseudo-terminal, with the time of every write it makes. */
export class BenchWindow {
  readonly startedAt = performance.now();
  readonly screen = new VirtualScreen({ columns: COLUMNS, rows: ROWS, scrollback: 0 });
  readonly pty: IPty;
  firstWriteMs: number | undefined;
  bytes = 0;
  private listeners: (() => void)[] = [];

  constructor(command: [string, ...string[]], cwd: string, env: NodeJS.ProcessEnv) {
    const [program, ...args] = command;
    this.pty = spawn(program, args, {
      cols: COLUMNS,
      rows: ROWS,
      cwd,
      env: { ...env, TERM: "xterm-256color", COLORTERM: "truecolor" },
    });
    this.screen.onReply((data) => this.pty.write(data));
    this.pty.onData((data) => {
      this.firstWriteMs ??= performance.now() - this.startedAt;
      this.bytes += Buffer.byteLength(data);
      void this.screen.write(data).then(() => {
        for (const listener of this.listeners.splice(0)) listener();
      });
    });
  }

  /** Resolves at the first write after which the screen matches, with the time since `from` in ms. */
  async until(fits: (screen: string) => boolean, from = this.startedAt): Promise<number> {
    for (let rounds = 0; rounds < 100_000; rounds += 1) {
      if (fits(this.screen.lines().join("\n"))) return performance.now() - from;
      await new Promise<void>((done) => this.listeners.push(done));
    }
    throw new Error("The screen never fitted.");
  }

  async end(): Promise<void> {
    const gone = new Promise((done) => this.pty.onExit(done));
    this.pty.kill("SIGTERM");
    await gone;
  }
}

async function withWindow<T>(scenario: ScenarioInput, use: (window: BenchWindow) => Promise<T>): Promise<T> {
  const place = freshPlace();
  mkdirSync(place.home, { recursive: true });
  const server = await startModelServer({ scenario });
  const window = new BenchWindow([harnessCommand, "--model", "scripted"], place.cwd, cleanEnv(place.home, server));
  try {
    return await use(window);
  } finally {
    await window.end();
    await server.close();
    place.remove();
  }
}

const hasInput = (screen: string): boolean => /─\n> /.test(screen);
const hasModel = (screen: string): boolean => screen.includes("scripted");

/** Types letters one by one and waits for each on the screen. */
export async function echoMs(window: BenchWindow, keys: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < keys; n += 1) {
    const from = performance.now();
    const typed = "abcdefghij".repeat(10).slice(0, n + 1);
    const seen = window.until((screen) => screen.includes(typed), from);
    window.pty.write(typed.at(-1) ?? "");
    times.push(await seen);
    await wait(40);
  }
  return times;
}

async function startAndIdle() {
  return withWindow({ turns: [] }, async (window) => {
    const inputMs = await window.until(hasInput);
    await window.until(hasModel);
    await wait(2_000);
    const { rssBytes, pssBytes, cpuMs } = readTreeWithPss(window.pty.pid);
    const bytesBefore = window.bytes;
    await wait(5_000);
    const idleBytes = window.bytes - bytesBefore;
    const idleCpu = ((readTree(window.pty.pid).cpuMs - cpuMs) / 5_000) * 100;
    const beforeKeys = window.bytes;
    const echo = await echoMs(window, 30);
    const keyBytes = (window.bytes - beforeKeys) / 30;
    return {
      firstFrameMs: window.firstWriteMs ?? Number.NaN,
      inputMs,
      rssBytes,
      pssBytes,
      idleBytes,
      idleCpu,
      echo,
      keyBytes,
    };
  });
}

const streamed = (tokens: number, rate: number): ScenarioInput => ({
  turns: [{ generate: { tokens, rate } }, { text: "end of it" }],
});

async function streaming() {
  return withWindow(streamed(2_000, 200), async (window) => {
    await window.until(hasModel);
    window.pty.write("go");
    await window.until((screen) => screen.includes("> go"));
    window.pty.write("\r");
    await window.until((screen) => bulkPart.test(screen));
    const before = { bytes: window.bytes, cpuMs: readTree(window.pty.pid).cpuMs, at: performance.now() };
    await wait(4_000);
    const cpu = ((readTree(window.pty.pid).cpuMs - before.cpuMs) / (performance.now() - before.at)) * 100;
    const bytesPerSecond = (window.bytes - before.bytes) / ((performance.now() - before.at) / 1000);
    const echo = await echoMs(window, 20);
    return { cpu, bytes: bytesPerSecond * 10, echo };
  });
}

async function burst(): Promise<number> {
  return withWindow(streamed(20_000, 0), async (window) => {
    await window.until(hasModel);
    window.pty.write("go");
    await window.until((screen) => screen.includes("> go"));
    const from = performance.now();
    window.pty.write("\r");
    await window.until((screen) => bulkPart.test(screen), from);
    return window.until((screen) => !/esc|Esc to|[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(screen), from);
  });
}

/** The minimum cost of a key: a terminal in raw mode, `cat`, and this program's own reading of the screen. */
async function catEcho(): Promise<number[]> {
  const place = freshPlace();
  const window = new BenchWindow(
    ["sh", "-c", "stty raw -echo; printf ready; exec cat"],
    place.cwd,
    cleanEnv(place.home),
  );
  try {
    await window.until((screen) => screen.includes("ready"));
    return await echoMs(window, 30);
  } finally {
    await window.end();
    place.remove();
  }
}

/** Everything about the window. */
export async function windowFigures(times: number): Promise<Figure[]> {
  const yardstick = { name: "cat", runs: await catEcho() };
  const starts = [];
  const streams = [];
  const bursts: number[] = [];
  for (let n = 0; n < Math.min(times, 3); n += 1) {
    starts.push(await startAndIdle());
    streams.push(await streaming());
    bursts.push(await burst());
  }
  return [
    { name: "window: first frame", unit: "ms", runs: starts.map((each) => each.firstFrameMs), target: 150 },
    {
      name: "window: input box drawn",
      unit: "ms",
      runs: starts.map((each) => each.inputMs),
      target: 210,
    },
    {
      name: "window: memory idle, with server",
      unit: "MB",
      runs: starts.map((each) => each.rssBytes / 1e6),
      target: 120,
    },
    { name: "window: the same, shared pages once", unit: "MB", runs: starts.map((each) => each.pssBytes / 1e6) },
    { name: "window: bytes in 5 s idle", unit: "bytes", runs: starts.map((each) => each.idleBytes), target: 0 },
    { name: "window: CPU idle", unit: "%", runs: starts.map((each) => each.idleCpu), target: 0 },
    {
      name: "window: echo of a key, idle",
      unit: "ms",
      runs: starts.flatMap((each) => each.echo),
      target: 2,
      yardstick,
    },
    { name: "window: bytes a key", unit: "bytes", runs: starts.map((each) => each.keyBytes), target: 64 },
    {
      name: "window: echo at 200 tokens/s",
      unit: "ms",
      runs: streams.flatMap((each) => each.echo),
      target: 4,
      yardstick,
    },
    {
      name: "window: CPU at 200 tokens/s",
      unit: "%",
      runs: streams.map((each) => each.cpu),
      target: 20,
    },
    {
      name: "window: bytes for 2,000 tokens",
      unit: "kB",
      runs: streams.map((each) => each.bytes / 1000),
      target: 200,
    },
    { name: "window: 20,000 tokens at once", unit: "ms", runs: bursts },
  ];
}

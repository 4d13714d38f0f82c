import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Settings } from "@harness/protocol";
import { type ModelServer, type ScenarioInput, startModelServer } from "@harness/testkit";
import type { Figure } from "./figures.ts";
import { readTree, watchPeak } from "./process-tree.ts";

export const harnessCommand = resolve(import.meta.dirname, "../bin/harness");

export type Run = {
  wallMs: number;
  peakBytes: number;
  /** From the start of the process to its first request to the model. */
  firstRequestMs?: number;
  firstRequestBytes?: number;
  /** From the first request to the last byte of the last answer. */
  workMs?: number;
  cpuMs: number;
};

/** An empty folder and an empty home, so that nothing of this machine's user takes part. */
export function freshPlace(below = tmpdir()): { cwd: string; home: string; remove: () => void } {
  const root = mkdtempSync(join(below, "harness bench "));
  return { cwd: root, home: join(root, ".home"), remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function cleanEnv(home: string, server?: ModelServer): NodeJS.ProcessEnv {
  const { PATH, LANG } = process.env;
  return { PATH, LANG: LANG ?? "C.UTF-8", HOME: home, HARNESS_HOME: join(home, "harness"), ...server?.environment };
}

async function finished(child: ChildProcess): Promise<void> {
  const code = await new Promise((done) => child.once("exit", done));
  if (code !== 0) throw new Error(`${child.spawnargs.join(" ")} ended with ${code}`);
}

/** Runs a command to its end and measures it from outside. */
async function runOnce(
  command: string,
  args: string[],
  scenario?: ScenarioInput,
  settings: Partial<Settings> = {},
): Promise<Run> {
  const place = freshPlace();
  const folder = join(place.home, "harness");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (Object.keys(settings).length > 0)
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings), { mode: 0o600 });
  const server = scenario ? await startModelServer({ scenario, variables: { cwd: place.cwd } }) : undefined;
  try {
    const startedAt = performance.now();
    const child = spawn(command, args, {
      cwd: place.cwd,
      env: cleanEnv(place.home, server),
      stdio: ["ignore", "ignore", "inherit"],
    });
    const stopPeak = watchPeak(child.pid ?? 0, 10);
    let cpuMs = 0;
    const cpu = setInterval(() => {
      cpuMs = Math.max(cpuMs, readTree(child.pid ?? 0).cpuMs);
    }, 10);
    await finished(child);
    const wallMs = performance.now() - startedAt;
    clearInterval(cpu);
    const requests = server?.chatRequests ?? [];
    const [first] = requests;
    const last = requests.at(-1);
    return {
      wallMs,
      cpuMs,
      peakBytes: stopPeak(),
      ...(first ? { firstRequestMs: first.receivedAtMs - startedAt, firstRequestBytes: first.bodyBytes } : {}),
      ...(first && last?.lastByteAtMs ? { workMs: last.lastByteAtMs - first.receivedAtMs } : {}),
    };
  } finally {
    await server?.close();
    place.remove();
  }
}

export async function repeat(times: number, run: () => Promise<Run>): Promise<Run[]> {
  await run();
  const runs: Run[] = [];
  for (let n = 0; n < times; n += 1) runs.push(await run());
  return runs;
}

/** `harness` with these arguments and settings, against this scenario. */
export function oneRun(args: string[], scenario: ScenarioInput, settings?: Partial<Settings>): Promise<Run> {
  return runOnce(harnessCommand, args, scenario, settings);
}

const oneShot = (scenario: ScenarioInput) => () =>
  runOnce(harnessCommand, ["run", "--permission-mode", "allow-all", "--model", "scripted", "do it"], scenario);

const toolTurn = (n: number) => ({ toolCalls: [{ name: "bash", arguments: { command: `echo ${n}` } }] });

const scenarios = {
  plain: { name: "plain", turns: [{ text: "Done." }] },
  thirtyTools: { name: "30 tools", turns: [...Array.from({ length: 30 }, (_, n) => toolTurn(n)), { text: "Done." }] },
  tokens: { name: "20,000 tokens", turns: [{ generate: { tokens: 20_000 } }] },
  shells: {
    name: "8 shells",
    turns: [
      {
        toolCalls: Array.from({ length: 8 }, (_, n) => ({
          name: "bash",
          arguments: { command: `sleep 0.5; echo ${n}` },
        })),
      },
      { text: "Done." },
    ],
  },
} satisfies Record<string, ScenarioInput>;

const pick = (runs: Run[], key: keyof Run, divisor = 1): number[] =>
  runs.map((run) => (run[key] ?? Number.NaN) / divisor);

/** Everything that needs no terminal. */
export async function headlessFigures(times: number): Promise<Figure[]> {
  const bare = await repeat(times, () => runOnce(process.execPath, ["-e", "0"]));
  const version = await repeat(times, () => runOnce(harnessCommand, ["--version"]));
  const plain = await repeat(times, oneShot(scenarios.plain));
  const tools = await repeat(times, oneShot(scenarios.thirtyTools));
  const tokens = await repeat(times, oneShot(scenarios.tokens));
  const shells = await repeat(times, oneShot(scenarios.shells));
  const yardstick = { name: "node -e 0", runs: pick(bare, "wallMs") };
  const cpuPerTurn = pick(tools, "cpuMs").map((cpu, n) => (cpu - (plain[n]?.cpuMs ?? 0)) / 30);
  return [
    { name: "node -e 0: wall", unit: "ms", runs: yardstick.runs },
    { name: "--version: wall", unit: "ms", runs: pick(version, "wallMs"), target: 60, yardstick },
    { name: "one-shot: wall", unit: "ms", runs: pick(plain, "wallMs"), target: 400, yardstick },
    { name: "one-shot: first request", unit: "ms", runs: pick(plain, "firstRequestMs"), yardstick },
    { name: "one-shot: peak memory", unit: "MB", runs: pick(plain, "peakBytes", 1e6), target: 110 },
    {
      name: "one-shot: size of first request",
      unit: "kB",
      runs: pick(plain, "firstRequestBytes", 1000),
      target: 6,
    },
    {
      name: "30 tool turns: first request to last answer",
      unit: "ms",
      runs: pick(tools, "workMs"),
      target: 450,
    },
    { name: "30 tool turns: CPU of one turn", unit: "ms", runs: cpuPerTurn, target: 12 },
    {
      name: "20,000 tokens: wall",
      unit: "ms",
      runs: pick(tokens, "wallMs"),
      target: 800,
      yardstick,
    },
    {
      name: "8 shells of 0.5 s in one turn: work",
      unit: "ms",
      runs: pick(shells, "workMs"),
    },
  ];
}

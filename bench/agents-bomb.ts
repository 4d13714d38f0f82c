// Agents that start agents without end: how soon the server still answers, and how soon a cancel takes effect.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openClient, spawnServer } from "@harness/client";
import type { Settings } from "@harness/protocol";
import { startModelServer, turns } from "@harness/testkit";
import { type Figure, median } from "./figures.ts";
import { cleanEnv, freshPlace } from "./headless.ts";
import { readTree } from "./process-tree.ts";

const serverEntry = resolve(import.meta.dirname, "../dist/server.mjs");
const LASTS_MS = 10_000;
const ASK_EVERY_MS = 250;

type Bomb = { statusMs: number[]; cancelMs: number; idleMs: number; peakBytes: number; most: number };

/** Each reply of each agent starts this many subagents with the agent's own task. */
async function explode(callsOfReply: number, settings: Partial<Settings>): Promise<Bomb> {
  const place = freshPlace();
  const env = cleanEnv(place.home, undefined);
  const calls = Array.from({ length: callsOfReply }, () => ["start_subagent", { task: "split it" }] as const);
  const bomb = { ...turns.calls(calls), repeat: "always" as const };
  const model = await startModelServer({ scenario: { turns: [bomb] }, forgetful: true });
  mkdirSync(join(place.home, "harness"), { recursive: true, mode: 0o700 });
  writeFileSync(join(place.home, "harness/settings.json"), JSON.stringify(settings), { mode: 0o600 });
  const server = spawnServer({
    command: process.execPath,
    args: [serverEntry],
    cwd: place.cwd,
    env: { ...env, ...model.environment, HARNESS_MODEL: "scripted" },
    onStderr: (text) => process.stderr.write(text),
  });
  let idle: () => void = () => undefined;
  const ended = new Promise<void>((done) => {
    idle = done;
  });
  const client = await openClient(server.channel, {
    clientInfo: { name: "bench", version: "1" },
    onUpdate: ({ agentId, update }) => {
      if (agentId === "main" && update.sessionUpdate === "state_update" && update.state === "idle") idle();
    },
    onLost: () => undefined,
    onBug: (error) => process.stderr.write(`${String(error)}\n`),
  });
  try {
    const { sessionId } = (await client.call("session/new", { cwd: place.cwd })).session;
    await client.call("session/prompt", { sessionId, promptId: "p", prompt: [{ type: "text", text: "split it" }] });
    const statusMs: number[] = [];
    let peakBytes = 0;
    let most = 0;
    for (const until = performance.now() + LASTS_MS; performance.now() < until; ) {
      const askedAt = performance.now();
      const { sessions } = await client.call("server/status", {});
      statusMs.push(performance.now() - askedAt);
      most = Math.max(most, sessions[0]?.agentsRunning ?? 0);
      peakBytes = Math.max(peakBytes, readTree(server.pid ?? 0).rssBytes);
      await sleep(ASK_EVERY_MS);
    }
    const cancelledAt = performance.now();
    await client.call("session/cancel", { sessionId });
    const cancelMs = performance.now() - cancelledAt;
    await ended;
    const idleMs = performance.now() - cancelledAt;
    return { statusMs, cancelMs, idleMs, peakBytes, most };
  } finally {
    await server.end(2000);
    await model.close();
    place.remove();
  }
}

/** With default settings: few and many starts per reply, and with limits that nobody would set. */
export async function bombFigures(times: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  const wide = { max_session_agents: 1_000, max_server_agents: 4_000, max_agent_starts: 10_000 };
  for (const [callsOfReply, settings] of [
    [3, {}],
    [50, {}],
    [3, wide],
  ] as const) {
    const runs: Bomb[] = [];
    for (let n = 0; n < times; n += 1) runs.push(await explode(callsOfReply, settings));
    const of = (pick: (bomb: Bomb) => number) => runs.map(pick);
    const name = `agents that start ${callsOfReply} each, ${median(of(({ most }) => most))} running`;
    figures.push(
      { name: `${name}: server/status`, unit: "ms", runs: runs.flatMap(({ statusMs }) => statusMs), target: 100 },
      { name: "– its slowest answer", unit: "ms", runs: of(({ statusMs }) => Math.max(...statusMs)), target: 1_000 },
      { name: "– session/cancel", unit: "ms", runs: of(({ cancelMs }) => cancelMs), target: 1_000 },
      { name: "– until idle", unit: "ms", runs: of(({ idleMs }) => idleMs), target: settings === wide ? 3_000 : 1_000 },
      { name: "– memory", unit: "MB", runs: of(({ peakBytes }) => peakBytes / 1e6), target: 400 },
    );
  }
  return figures;
}

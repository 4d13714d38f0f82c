import type { Provider, Step, Turn } from "@harness/core";
import type { Fact } from "@harness/protocol";
import { vendors } from "@harness/providers";
import { MemoryLog, MemorySession, type ScenarioInput, startModelServer, turns } from "@harness/testkit";
import { createProvider } from "../packages/providers/test/create-provider.ts";
import { nodeClock } from "../packages/workspace/src/system/node-clock.ts";
import type { Figure } from "./figures.ts";
import { oneRun, repeat } from "./headless.ts";

/** For each of two agents that the main one starts. */
const WORKERS = 100;
const AGENTS = 2 * (WORKERS + 1);
const MESSAGES = 2_000;
/** Messages that a compaction has replaced. */
const COMPACTED = 40_000;
const WARM_UP = 5;

const start = (task: string) => ["start_subagent", { task }] as const;
const ending = turns.say("Done.", { repeat: "always" });

const fanOut: ScenarioInput = {
  lanes: [
    {
      match: "lead the others",
      perConversation: true,
      turns: [turns.calls(Array.from({ length: WORKERS }, (_, n) => start(`work ${n}`))), ending],
    },
    { match: "work ", perConversation: true, turns: [ending] },
  ],
  turns: [turns.calls([start("lead the others, one"), start("lead the others, two")]), ending],
};

const settings = {
  max_agents: WORKERS,
  max_session_agents: AGENTS,
  max_server_agents: AGENTS,
  max_tool_calls: WORKERS,
  context_limit: 1_000_000,
};

async function fanOutFigures(times: number): Promise<Figure[]> {
  const args = ["run", "--quiet", "--permission-mode", "allow-all", "--model", "scripted", "do it"];
  const alone = await repeat(times, () => oneRun(args, { turns: [ending] }));
  const many = await repeat(times, () => oneRun(args, fanOut, settings));
  const kilobytes = many.map(({ peakBytes }, n) => (peakBytes - (alone[n]?.peakBytes ?? 0)) / AGENTS / 1000);
  return [
    {
      name: `${AGENTS} subagents at once: first request to last answer`,
      unit: "ms",
      runs: many.map(({ workMs = Number.NaN }) => workMs),
      target: 2_000,
    },
    { name: "– memory of one of them", unit: "kB", runs: kilobytes, target: 1_000 },
  ];
}

/**
 * A log with this many messages: questions, replies with a call, and results. `compacted`: how many precede a summary.
 */
function logOf(compacted: number): MemoryLog {
  const log = new MemoryLog();
  const append = (update: Fact) =>
    log.append({ agentId: "main", turnId: "t1", at: "2026-11-21T00:00:00.000Z", update });
  const addMessages = (count: number, name: string): void => {
    for (let n = 0; n < count / 4; n += 1) addExchange(append, `${name}${n}`);
  };
  addMessages(compacted, "old");
  if (compacted > 0) {
    const summary = "What was said before.";
    const counts = { tokensBefore: 1, tokensAfter: 1 };
    const keepFromSeq = log.lines.length + 1;
    append({
      sessionUpdate: "compaction_update",
      compactionId: "c",
      reason: "manual",
      summary,
      keepFromSeq,
      ...counts,
    });
  }
  addMessages(MESSAGES, "new");
  return log;
}

function addExchange(append: (update: Fact) => unknown, name: string): void {
  const words = `The message ${name} has about as many words as people write. `.repeat(3);
  const text = (said: string) => ({ type: "text" as const, text: said });
  const from = { provider: "scripted", model: "scripted-model" };
  append({ sessionUpdate: "user_message", messageId: `u${name}`, content: [text(words)], origin: "user" });
  const call = {
    type: "tool_call" as const,
    toolCallId: `c${name}`,
    name: "read",
    input: { file_path: `/work/${name}.ts` },
  };
  append({
    sessionUpdate: "agent_message",
    messageId: `a${name}`,
    parts: [text("I look."), call],
    stop: "tool_calls",
    ...from,
  });
  const outcome = { status: "ok" as const, text: words.repeat(4), blocks: [], durationMs: 1 };
  append({ sessionUpdate: "tool_call_update", toolCallId: `c${name}`, status: "completed", name: "read", outcome });
  append({ sessionUpdate: "agent_message", messageId: `b${name}`, parts: [text(words)], stop: "end", ...from });
}

/** Notes when a provider is called, which is when the request is assembled. */
class AskedProvider implements Provider {
  readonly id = "scripted";
  readonly #inner: Provider;
  askedAtMs = 0;

  constructor(inner: Provider) {
    this.#inner = inner;
  }

  stream(...asked: Parameters<Provider["stream"]>): ReturnType<Provider["stream"]> {
    this.askedAtMs = performance.now();
    return this.#inner.stream(...asked);
  }
}

type Assembly = { assembledMs: number[]; arrivedMs: number[] };

/** Requests one reply after another in a long session: how long until each request is made, and reaches the server. */
async function assemble(log: MemoryLog, times: number): Promise<Assembly> {
  const server = await startModelServer({ scenario: { turns: [ending] } });
  const provider = new AskedProvider(providerAt(server.baseUrl));
  const contextWindow = { tokens: 100_000_000, source: "setting" as const };
  let beganAtMs = 0;
  const began: Step<Turn> = {
    stage: "assemble",
    name: "00-began",
    run: (state) => {
      beganAtMs = performance.now();
      return state;
    },
  };
  const memory = new MemorySession({
    script: [],
    log,
    steps: [began],
    ports: { chooseModel: async () => ({ provider, model: "scripted-model", contextWindow }) },
  });
  const found: Assembly = { assembledMs: [], arrivedMs: [] };
  for (let n = 0; n < WARM_UP + times; n += 1) {
    await memory.say("Go on.");
    if (n < WARM_UP) continue;
    found.assembledMs.push(provider.askedAtMs - beganAtMs);
    found.arrivedMs.push((server.chatRequests.at(-1)?.receivedAtMs ?? Number.NaN) - beganAtMs);
  }
  await server.close();
  return found;
}

function providerAt(baseUrl: string): Provider {
  const vendor = vendors.find(({ id }) => id === "openai");
  if (!vendor) throw new Error("openai");
  return createProvider(vendor, { baseUrl, key: "none", random: Math.random, clock: nodeClock });
}

async function assemblyFigures(times: number): Promise<Figure[]> {
  const whole = await assemble(logOf(0), times);
  const compacted = await assemble(logOf(COMPACTED), times);
  return [
    { name: "a request of 2,000 messages: made", unit: "ms", runs: whole.assembledMs, target: 15 },
    { name: "– and at the server", unit: "ms", runs: whole.arrivedMs },
    {
      name: "– with 40,000 messages compacted away before them",
      unit: "ms",
      runs: compacted.assembledMs,
      target: 15,
      yardstick: { name: "without", runs: whole.assembledMs },
    },
  ];
}

/** The cost of agents: many at once, and one with a long conversation. */
export async function agentFigures(times: number): Promise<Figure[]> {
  return [...(await fanOutFigures(times)), ...(await assemblyFigures(Math.max(times, 20)))];
}

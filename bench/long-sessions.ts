// What keeps the agent's bearings costs: prompt tokens of all requests of a session, with and without it.
import { call, calling, MemorySession, probeTool, type ScriptedEvent, saying } from "@harness/testkit";
import type { Figure } from "./figures.ts";

const CHARS_PER_TOKEN = 4;
const MESSAGES = 60;

/** Reads or changes one of twelve files, and answers with some 3,000 characters. */
const touch = probeTool("touch", ({ n, changed }, { files }) => {
  const file = `/work/src/module-${Number(n) % 12}.ts`;
  files.record(file, { sizeBytes: 1, sha256: "x" }, changed === true ? "changed" : "read");
  return { status: "ok", text: `line ${String(n)} `.repeat(350), blocks: [] };
});

/** Sixty messages: two reads and a change for each, a task noted for every tenth and completed nine later. */
function script(): ScriptedEvent[][] {
  return Array.from({ length: MESSAGES }, (_, n) => {
    const todo = { id: `todo_${n / 10}`, status: "completed" };
    const todos = n % 10 === 0 ? [...(n > 0 ? [todo] : []), { text: `Move module ${n / 10} to the new store` }] : [];
    return [
      ...(todos.length > 0 ? [calling(call(`t${n}`, "todo", { todos }))] : []),
      ...[0, 1, 2].map((at) => calling(call(`c${n}-${at}`, "touch", { n: n * 3 + at, changed: at === 2 }))),
      saying(`Step ${n} is done.`),
    ];
  }).flat();
}

async function session(contextWindow: number, workingContext: boolean, messages: number) {
  const memory = new MemorySession({ script: script(), tools: [touch], contextWindow, options: { workingContext } });
  for (let n = 0; n < messages; n += 1) await memory.say(`Please do step ${n} of the move.`);
  const { requests } = memory.provider;
  const chars = requests.reduce((sum, { system, messages: sent, tools }) => {
    return sum + system.length + JSON.stringify(sent).length + JSON.stringify(tools).length;
  }, 0);
  const blocks = memory.facts("user_message").filter(({ kind }) => kind !== undefined).length;
  return { tokens: chars / CHARS_PER_TOKEN, blocks };
}

/** The working context over long sessions, and over one of five messages, which must not pay for it. */
export async function longSessionFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [contextWindow, messages] of [
    [256_000, 5],
    [256_000, MESSAGES],
    [32_768, MESSAGES],
    [8_192, MESSAGES],
  ] as const) {
    const [without, with_] = [
      await session(contextWindow, false, messages),
      await session(contextWindow, true, messages),
    ];
    figures.push({
      name: `working context, ${messages} messages, a window of ${contextWindow}: ${with_.blocks} blocks, added to ${Math.round(without.tokens / 1_000)} k prompt tokens`,
      unit: "%",
      runs: [(100 * (with_.tokens - without.tokens)) / without.tokens],
      target: messages === 5 ? 0 : 3,
    });
  }
  return figures;
}

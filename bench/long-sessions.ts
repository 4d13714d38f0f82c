// The cost of keeping the agent oriented: prompt tokens of all requests of a session, with and without it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, calling, MemoryLog, MemorySession, probeTool, type ScriptedEvent, saying } from "@harness/testkit";
import { builtinTools } from "@harness/tools";
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
  const memory = new MemorySession({
    script: script(),
    tools: [touch],
    contextWindow,
    options: { working_context: workingContext },
  });
  for (let n = 0; n < messages; n += 1) await memory.say(`Please do step ${n} of the move.`);
  const { requests } = memory.provider;
  const chars = requests.reduce((sum, { system, messages: sent, tools }) => {
    return sum + system.length + JSON.stringify(sent).length + JSON.stringify(tools).length;
  }, 0);
  const blocks = memory.facts("user_message").filter(({ kind }) => kind !== undefined).length;
  return { tokens: chars / CHARS_PER_TOKEN, blocks };
}

const FILES = 10;
const LINES = 1_500;

/** Large files are read, one for each message, and `after` requests follow that send them again. */
async function reading(extractFilesAbove: number, after: number) {
  const folder = mkdtempSync(join(tmpdir(), "bench-extracts-"));
  const text = Array.from({ length: LINES }, (_, n) => `export const value${n} = compute(${n}, "name ${n}");\n`).join(
    "",
  );
  for (let n = 0; n < FILES; n += 1) writeFileSync(join(folder, `f${n}.ts`), text);
  const reads = (n: number) => [
    calling(call(`r${n}`, "read", { file_path: `f${n}.ts` })),
    ...Array.from({ length: after }, (_, k) => calling(call(`g${n}-${k}`, "grep", { pattern: `nothing ${n} ${k}` }))),
    saying("ok"),
  ];
  const turns = Array.from({ length: FILES }, (_, n) => reads(n)).flat();
  let next = 0;
  const memory = new MemorySession({
    script: ({ system }) =>
      system.startsWith("You choose which lines")
        ? saying('{"line_ranges":[[1,20],[700,800]],"summary":"more values"}')
        : (turns[next++] ?? saying("ok")),
    tools: builtinTools({ toolTimeoutMs: 10_000 }).tools,
    log: new MemoryLog("s1", folder),
    contextWindow: 1_000_000,
    options: { extract_files_above: extractFilesAbove },
  });
  for (let n = 0; n < FILES; n += 1) await memory.say(`look at file ${n}`);
  rmSync(folder, { recursive: true });
  const sizes = memory.provider.requests.map(
    ({ system, messages }) => (system.length + JSON.stringify(messages).length) / CHARS_PER_TOKEN,
  );
  return { all: sizes.reduce((sum, size) => sum + size, 0), last: sizes.at(-1) ?? 0 };
}

/** Prompt tokens saved by extracts of large files, including the requests that make the extracts. */
export async function extractFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const after of [1, 5]) {
    const [whole, extract] = [await reading(0, after), await reading(500, after)];
    figures.push({
      name: `extracts of ${FILES} files of ${LINES} lines, ${after + 1} requests after each: all prompt tokens, ${Math.round(whole.all / 1_000)} k without`,
      unit: "%",
      runs: [(100 * extract.all) / whole.all],
    });
    figures.push({ name: "– the conversation at the end", unit: "%", runs: [(100 * extract.last) / whole.last] });
  }
  return figures;
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

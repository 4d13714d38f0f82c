import { call, calling, MemorySession, probeTool, saying } from "@harness/testkit";
import { HookHome } from "../packages/extensions/test/hook-session.ts";
import type { Figure } from "./figures.ts";

/**
 * One no-op hook for each stage of a turn; those for tool_exec and tool_done run once for the call, before and after
 * it.
 */
const HOOKS = [
  "start/05-x",
  "assemble/05-x",
  "send/05-x",
  "receive/05-x",
  "tool_exec/05-x",
  "tool_done/05-x",
  "done/05-x",
];
/** start, two requests with assemble, send and receive each, one call with tool_exec and tool_done, done. */
const STARTS = 10;
const TURNS = 30;

const script = () => [calling(call("a", "probe", {})), saying("done")];
const probe = probeTool("probe", () => ({ status: "ok", text: "ok", blocks: [] }));

type Took = { allMs: number; programsMs: number };

/** The turn at the first quartile of many, to exclude other work on the machine. */
async function quietTurn(make: () => MemorySession, runs?: HookHome["runs"]): Promise<Took> {
  const took: Took[] = [];
  for (let n = 0; n < TURNS; n += 1) {
    const memory = make();
    const before = runs?.totalMs ?? 0;
    const began = performance.now();
    await memory.say("go");
    took.push({ allMs: performance.now() - began, programsMs: (runs?.totalMs ?? 0) - before });
  }
  const over = ({ allMs, programsMs }: Took) => allMs - programsMs;
  return took.sort((a, b) => over(a) - over(b))[Math.floor(TURNS / 4)] ?? { allMs: Number.NaN, programsMs: Number.NaN };
}

/**
 * The cost of hooks in a turn with one call: nothing without hooks, and with them little more than starting their
 * processes.
 */
export async function hookFigures(times: number): Promise<Figure[]> {
  const looking: number[] = [];
  const over: number[] = [];
  const starts: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const home = new HookHome();
    try {
      const plain = await quietTurn(() => new MemorySession({ script: script(), tools: [probe] }));
      const none = await quietTurn(() => home.session({ script: script(), tools: [probe] }));
      looking.push(none.allMs - plain.allMs);
      for (const where of HOOKS) home.hook(where, "cat");
      home.inventory.forgetMoment();
      const all = await quietTurn(() => home.session({ script: script(), tools: [probe] }), home.runs);
      over.push(all.allMs - all.programsMs - plain.allMs);
      starts.push(all.programsMs);
    } finally {
      home.remove();
    }
  }
  return [
    {
      name: "a turn with a call: what looking for hooks adds where there are none",
      unit: "ms",
      runs: looking,
      target: 1,
    },
    {
      name: `– with a no-op hook in each stage, ${STARTS} runs: over the starts of their processes`,
      unit: "ms",
      runs: over,
      target: 10,
    },
    { name: `– these ${STARTS} starts of \`sh\` with \`cat\``, unit: "ms", runs: starts },
  ];
}

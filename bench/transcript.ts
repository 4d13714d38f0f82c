// The cost of a key in a long conversation, in the process: rows of the transcript, the search, and retained memory.
import { itemText, occurrences } from "@harness/client/actions";
import type { TranscriptItem } from "@harness/protocol";
import { usualKeymap } from "../packages/tui/src/keymap/keymap.ts";
import { TranscriptView } from "../packages/tui/src/render/transcript/index.ts";
import { DrawingCode } from "../packages/tui/src/text/markdown/drawing-code.ts";
import type { Figure } from "./figures.ts";

const MESSAGES = 5_000;
const COLUMNS = 120;
const ROWS = 30;
/** A frame of a screen that is drawn sixty times a second. */
const FRAME_MS = 16;

const at = "2026-11-23T12:00:00.000Z";
const sentences = "A sentence with `code`, **strong** words and some more of them, long enough to be wrapped. ".repeat(
  8,
);
const source = Array.from({ length: 12 }, (_, n) => `export const value${n} = compute(${n}, "name ${n}");`).join("\n");

/** A third questions, a third answers with lists and code, a third calls with long output. */
function conversation(): TranscriptItem[] {
  return Array.from({ length: MESSAGES }, (_, n): TranscriptItem => {
    const id = `i${n}`;
    if (n % 3 === 0)
      return { kind: "user", id, content: [{ type: "text", text: `Question ${n}?` }], origin: "user", at };
    if (n % 3 === 1) {
      const text = `${sentences}\n\n- one\n- two\n\n\`\`\`ts\n${source}\n\`\`\`\n\nNumber ${n} is done.`;
      return { kind: "agent", id, parts: [{ type: "text", text }], cut: false, model: "m", at };
    }
    const blocks = [{ type: "terminal" as const, command: "npm test", output: source, exitCode: 0, durationMs: 9 }];
    const outcome = { status: "ok" as const, text: source, blocks, durationMs: 9 };
    return { kind: "tool", id, name: "bash", title: `run ${n}`, status: "completed", at, outcome };
  });
}

/** CPU time of the thread in ms: other work on the machine does not count. */
function timed(run: () => void): number {
  const began = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1_000;
}

export async function transcriptFigures(): Promise<Figure[]> {
  const code = new DrawingCode();
  void code.lexer;
  await code.ready();
  const view = new TranscriptView({ code, root: "/work", keys: () => usualKeymap.names });
  const agent = { items: conversation(), output: new Map<string, string>() };
  view.resize(COLUMNS, ROWS);
  view.show(agent);
  const frame = (change: () => void) => timed(() => [change(), view.show(agent), view.rows()]);
  const first = frame(() => undefined);
  // Keys are timed once code is compiled; the first frame is measured above.
  for (let n = 0; n < 20; n += 1) frame(() => view.page(-1));
  const keys = [
    ...Array.from({ length: 300 }, () => frame(() => view.page(-1))),
    ...Array.from({ length: 20 }, () => [frame(() => view.toStart()), frame(() => view.toEnd())]).flat(),
    ...Array.from({ length: 10 }, () => frame(() => view.foldAll())),
    ...Array.from({ length: 100 }, () => frame(() => view.scrollBy(-3))),
    frame(() => view.resize(COLUMNS - 20, ROWS)),
  ];
  // The most work per key of the search: it continues in slices of time, and shows the match it moved to.
  const found = agent.items.flatMap((item, index) =>
    occurrences(itemText(item), "is done").length > 0 ? [index] : [],
  );
  view.mark("is done");
  const going = found.slice(-200).map((index) => frame(() => view.reveal(index, (rows) => rows.height - 1)));
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  for (let n = 0; n < 2_000; n += 1) frame(() => view.page(n % 400 < 200 ? -1 : 1));
  globalThis.gc?.();
  const grown = Math.max(0, process.memoryUsage.rss() - before) / 1e6;
  return [
    { name: "transcript of 5,000 messages: first frame", unit: "ms", runs: [first], target: 100 },
    { name: "transcript of 5,000 messages: slowest key", unit: "ms", runs: [Math.max(...keys)], target: FRAME_MS },
    {
      name: "transcript of 5,000 messages: slowest step to a match",
      unit: "ms",
      runs: [Math.max(...going)],
      target: FRAME_MS,
    },
    { name: "transcript of 5,000 messages: memory after 2,000 pages", unit: "MB", runs: [grown], target: 40 },
  ];
}

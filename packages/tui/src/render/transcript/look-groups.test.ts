import type { ToolItem, TranscriptItem } from "@harness/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { usualKeymap } from "../../keymap/keymap.ts";
import { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { textOfRow } from "../../text/style.ts";
import { TranscriptView } from "./transcript-view.ts";

const at = "2026-11-21T12:00:00.000Z";
const code = new DrawingCode();
beforeAll(async () => {
  void code.lexer;
  await code.ready();
});

function look(id: string, file?: string, more: Partial<ToolItem> = {}): ToolItem {
  const files = file === undefined ? {} : { files: [{ path: `/work/${file}`, how: "read" as const }] };
  const outcome = { status: "ok" as const, text: `text of ${id}`, blocks: [], durationMs: 5, ...files };
  const title = file === undefined ? `grep ${id}` : `read ${file}`;
  return { kind: "tool", id, name: "x", title, status: "completed", looks: true, outcome, at, ...more };
}
function says(id: string, text: string, thinking = ""): TranscriptItem {
  const thought = thinking === "" ? [] : [{ type: "thinking" as const, text: thinking }];
  const said = text === "" ? [] : [{ type: "text" as const, text }];
  const call = { type: "tool_call" as const, toolCallId: `${id}c`, name: "x" };
  return { kind: "agent", id, parts: [...thought, ...said, call], cut: false, model: "m", at };
}
const running = (id: string, file: string): ToolItem => {
  const { outcome: _, ...item } = look(id, file);
  return { ...item, status: "in_progress" };
};

function open(items: TranscriptItem[], width = 72, height = 14) {
  const view = new TranscriptView({ code, root: "/work", keys: () => usualKeymap.names });
  const state = { items, output: new Map<string, string>() };
  view.resize(width, height);
  view.show(state);
  const texts = (): string[] => view.rows().flatMap((row) => textOfRow(row).trimEnd() || []);
  return { view, state, texts };
}

describe("calls that only look", () => {
  it("are one line while they are folded, with what was looked at", () => {
    const items = [look("a", "src/a.ts"), says("m", "", "hm"), look("b", "src/b.ts"), look("total"), says("n", "So.")];
    expect(open(items).texts()).toEqual(["● Explored 2 files, 1 search  src/a.ts, src/b.ts, total · Ctrl+O", "  So."]);
  });

  it("count a file once, and one that still runs", () => {
    const items = [look("a", "a.ts"), look("b", "a.ts"), running("c", "c.ts")];
    expect(open(items).texts()[0]).toContain("◐ Exploring 1 file, 1 more  a.ts, a.ts, c.ts");
  });

  it("open to their parts, by key and by click, and fold again by their first row", () => {
    const { view, texts } = open([look("a", "a.ts"), look("b", "b.ts")]);
    view.foldAt(0);
    const parts = ["▾ Explored 2 files", "● Read a.ts  text of a", "● Read b.ts  text of b"];
    const whole = ["▾ Explored 2 files", "● Read a.ts", "  text of a", "● Read b.ts", "  text of b"];
    expect(texts()).toEqual(parts);
    view.foldAt(0);
    expect(texts()).toHaveLength(1);
    view.foldNewest();
    expect(texts()).toEqual(parts);
    view.foldAll();
    expect(texts()).toEqual(whole);
    view.foldAll();
    expect(texts()).toEqual(["● Explored 2 files  a.ts, b.ts · Ctrl+O"]);
  });

  it("stand for themselves when there is one, when one failed, and on both sides of words", () => {
    const failed = look("x", "x.ts", { outcome: { status: "error", text: "gone", blocks: [], durationMs: 1 } });
    expect(open([look("a", "a.ts"), says("m", "And now?"), look("b", "b.ts"), failed]).texts()).toEqual([
      "● Read a.ts  text of a",
      "  And now?",
      "● Read b.ts  text of b",
      "✗ Read x.ts",
      "  gone",
    ]);
  });

  it("join as they come, and the end stays in view", () => {
    const { view, state, texts } = open([look("a", "a.ts")], 40, 4);
    expect(texts()).toEqual(["● Read a.ts  text of a"]);
    for (let n = 0; n < 50; n++) {
      state.items.push(look(`b${n}`, `b${n}.ts`));
      view.show(state);
      expect(texts()).toHaveLength(1);
    }
    expect(texts()[0]).toContain("● Explored 51 files  a.ts");
    const [row] = view.rows();
    expect(view.rows()[0]).toBe(row);
  });

  it("open for something that is looked for in them, and fold again after it", () => {
    const items = [look("a", "a.ts"), look("b", "b.ts"), says("n", "Words.")];
    const { view, texts } = open(items);
    const found = view.reveal(1, (rows) =>
      textOfRow(rows.row(1) ?? { spans: [] }).includes("text of b") ? 1 : undefined,
    );
    expect(found && textOfRow(found)).toBe("  text of b");
    expect(texts()).toContain("  text of b");
    view.reveal(2, () => 0);
    expect(texts()[0]).toContain("Explored 2 files");
    expect(texts()).toHaveLength(2);
  });

  it("a call that has started an agent gives way to the agent's own line", () => {
    const call = look("s", undefined, { looks: undefined, startedAgent: true } as Partial<ToolItem>);
    const agent: TranscriptItem = {
      kind: "subagent",
      id: "agent-1",
      childAgentId: "agent-1",
      task: "look",
      state: "running",
      at,
    };
    expect(open([call, agent]).texts()).toEqual(["◇ agent-1 running  look"]);
    const refused = { ...call, outcome: { status: "error" as const, text: "Too many.", blocks: [], durationMs: 1 } };
    expect(open([refused]).texts()).toEqual(["✗ Search for s", "  Too many."]);
  });
});

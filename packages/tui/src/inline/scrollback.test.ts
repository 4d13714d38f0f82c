import { emptySession, type ToolItem, type TranscriptItem } from "@harness/protocol";
import { expect, it } from "vitest";
import { usualKeymap } from "../keymap/keymap.ts";
import { TranscriptView } from "../render/transcript/index.ts";
import { initialState } from "../state/app-state.ts";
import { DrawingCode } from "../text/markdown/drawing-code.ts";
import { textOfRow } from "../text/style.ts";
import { Scrollback } from "./scrollback.ts";

const at = "2026-11-21T12:00:00.000Z";

function call(title: string, looks = false): ToolItem {
  return { kind: "tool", id: title, name: "x", title, status: "in_progress", ...(looks && { looks }), at };
}
function done(item: ToolItem): ToolItem {
  return { ...item, status: "completed", outcome: { status: "ok", text: "fine", blocks: [], durationMs: 5 } };
}
const callsOnly: TranscriptItem = {
  kind: "agent",
  id: "m1",
  parts: [{ type: "tool_call", toolCallId: "c1", name: "x" }],
  cut: false,
  model: "m",
  at,
};

/** The main agent at work, and the titles of the calls that each update hands over. */
function working() {
  const code = new DrawingCode();
  const view = () => new TranscriptView({ code, root: "/work", keys: () => usualKeymap.names });
  const scrollback = new Scrollback(view);
  const session = emptySession("s1");
  const root = session.agents.get("main");
  if (!root) throw new Error("A session has a main agent.");
  root.state = "running";
  const state = { ...initialState({ cwd: "/work", version: "1", size: { columns: 60, rows: 20 } }), session };
  const printed = (): string[] =>
    scrollback
      .update(state)
      .above.map(textOfRow)
      .flatMap((text) => /^[●✓] .*$/.exec(text.trimEnd())?.[0] ?? []);
  printed();
  return { root, printed };
}

it("hands over a call that has ended, as soon as all before it have", () => {
  const { root, printed } = working();
  const [first, second] = [call("bash make"), call("bash test")];
  root.items.push(callsOnly, first, second);
  expect(printed()).toEqual([]);
  root.items[2] = done(second);
  expect(printed()).toEqual([]);
  root.items[1] = done(first);
  expect(printed()).toEqual([expect.stringContaining("Ran make"), expect.stringContaining("Ran test")]);
  expect(printed()).toEqual([]);
});

it("keeps calls that only look until no further call can join them", () => {
  const { root, printed } = working();
  root.items.push(callsOnly, done(call("read a", true)));
  expect(printed()).toEqual([]);
  root.items.push(call("read b", true));
  expect(printed()).toEqual([]);
  root.items[2] = done(call("read b", true));
  expect(printed()).toEqual([]);
  root.items.push(call("bash make"));
  expect(printed()).toEqual([expect.stringContaining("Explored")]);
  root.items[3] = done(call("bash make"));
  expect(printed()).toEqual([expect.stringContaining("Ran make")]);
});

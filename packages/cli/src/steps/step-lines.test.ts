import type { Block, SessionUpdate, ToolOutcome } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { outcomeText } from "./outcome-text.ts";
import { StepLines } from "./step-lines.ts";

function outcome(status: ToolOutcome["status"], durationMs: number, ...blocks: Block[]): ToolOutcome {
  return { status, durationMs, blocks, text: "The first line.\nThe second." };
}

const call = (toolCallId: string, more: object, agentId = "main"): SessionUpdate =>
  ({ sessionId: "s", agentId, update: { sessionUpdate: "tool_call_update", toolCallId, ...more } }) as SessionUpdate;

const terminal = (exitCode: number | null, output: string, more = {}): Block => ({
  type: "terminal",
  command: "x",
  output,
  exitCode,
  durationMs: 5,
  ...more,
});

describe("how a call ended", () => {
  it.each<[ToolOutcome, string]>([
    [outcome("ok", 320, terminal(0, "fine\n")), "fine"],
    [outcome("ok", 1_320, terminal(0, "a\nb\nc\n")), "1.3 s · 3 lines"],
    [outcome("ok", 1_320, terminal(0, "")), "1.3 s"],
    [outcome("error", 12_400, terminal(2, "a\nit broke\n")), "12 s · exit code 2 · 2 lines · it broke"],
    [
      outcome("error", 125_000, terminal(null, "", { signal: "SIGKILL" })),
      "2 min 5 s · ended by SIGKILL (it was stopped by force, often because memory ran out)",
    ],
    [outcome("ok", 10, terminal(null, "", { processId: "p1" })), "running in the background as p1"],
    [outcome("ok", 10, { type: "diff", path: "/a", change: "modify", hunks: "", added: 3, removed: 1 }), "+3 −1"],
    [outcome("ok", 10, { type: "list", items: [{ text: "a" }], more: 4 }), "5 results"],
    [outcome("ok", 10, { type: "tree", entries: [{ path: "a", directory: false }] }), "1 entry"],
    [outcome("ok", 10), ""],
    [outcome("error", 10), "The first line."],
    [outcome("error", 10, { type: "text", text: `${"x".repeat(500)}` }), `${"x".repeat(160)}…`],
    [outcome("denied", 10), "denied"],
    [outcome("cancelled", 10), "stopped"],
  ])("%j is shown as %s", (ended, text) => {
    expect(outcomeText(ended)).toBe(text);
  });
});

describe("the lines of steps", () => {
  it("name a call when it begins, and again only where another line came between", () => {
    const lines = new StepLines();
    expect(lines.see(call("1", { status: "pending", name: "bash" }))).toEqual([]);
    expect(lines.see(call("1", { status: "in_progress", title: "npm test" }))).toEqual(["● npm test"]);
    expect(lines.see(call("2", { status: "in_progress", title: "read a.ts" }, "a_1"))).toEqual(["[a_1] ● read a.ts"]);
    expect(lines.see(call("2", { outcome: outcome("ok", 100) }, "a_1"))).toEqual(["  ✓ done"]);
    expect(lines.see(call("1", { outcome: outcome("error", 900, terminal(1, "no")) }))).toEqual([
      "  ✗ npm test: exit code 1 · no",
    ]);
  });

  it("name each of several calls at once, the last begun included", () => {
    const lines = new StepLines();
    for (const id of ["a", "b"]) lines.see(call(id, { status: "in_progress", title: `read ${id}` }));
    const ended = ["a", "b"].flatMap((id) => lines.see(call(id, { outcome: outcome("ok", 10) })));
    expect(ended).toEqual(["  ✓ read a: done", "  ✓ read b: done"]);
  });

  it("have what is said between calls, and not the answer, which is the output", () => {
    const lines = new StepLines();
    const said = (stop: string): SessionUpdate =>
      ({
        sessionId: "s",
        agentId: "main",
        update: { sessionUpdate: "agent_message", messageId: "m", parts: [{ type: "text", text: "I look.\n" }], stop },
      }) as SessionUpdate;
    expect(lines.see(said("tool_calls"))).toEqual(["I look."]);
    expect(lines.see(said("end_turn"))).toEqual([]);
  });
});

import { call, calling, MemorySession, probeTool, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { SessionValues } from "../../ports/session-ports.ts";
import { limitFor } from "./tool-limits.ts";

const outcomesOf = (memory: MemorySession) =>
  memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [outcome] : []));
const withLimits = (toolLimits: SessionValues["toolLimits"], run: Parameters<typeof probeTool>[1]) =>
  new MemorySession({
    script: [calling(call("a", "probe", {})), saying("done")],
    tools: [probeTool("probe", run)],
    options: { toolLimits },
  });

describe("a limit by tool", () => {
  it.each([
    ["probe", "readOnly", 5],
    ["other", "destructive", 9],
    ["question", "signal", undefined],
    ["constructor", "signal", undefined],
  ] as const)("%s (%s) has %s", (name, category, limit) => {
    expect(limitFor({ probe: 5, "*": 9 }, { name, category })).toBe(limit);
  });

  it("cuts the result of its tool, and of no other", async () => {
    const long = () => ({ status: "ok" as const, text: "x".repeat(3_000), blocks: [] });
    const cut = withLimits({ resultChars: { probe: 1_000 }, runMs: {} }, long);
    await cut.say("go");
    expect(outcomesOf(cut)[0]?.text).toMatch(/2000 of 3000 characters left out/);
    const whole = withLimits({ resultChars: { bash: 1_000 }, runMs: {} }, long);
    await whole.say("go");
    expect(outcomesOf(whole)[0]?.text).toHaveLength(3_000);
  });

  it("stops a call when its time is over, and says whose limit it was", async () => {
    const memory = withLimits(
      { resultChars: {}, runMs: { probe: 50 } },
      (_args, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ status: "ok", text: "half", blocks: [] }), { once: true });
        }),
    );
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.status === "in_progress");
    await memory.ports.clock.advance(50);
    await memory.session.idle();
    expect(outcomesOf(memory)).toMatchObject([
      {
        status: "error",
        text: "stopped: it had not ended after 50 ms, which is the person's limit for `probe`. What it had said:\nhalf",
      },
    ]);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
  });
});

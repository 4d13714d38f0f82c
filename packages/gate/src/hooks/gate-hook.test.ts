import { ManualClock } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { type GateHook, type HookedCall, hookObjection } from "./gate-hook.ts";

const call: HookedCall = {
  agentId: "main",
  toolCallId: "a",
  tool: "bash",
  category: "destructive",
  title: "bash ls",
  effects: [],
};
const passes: GateHook = async () => undefined;

async function denial(hooks: GateHook[], clock = new ManualClock(), signal = new AbortController().signal) {
  const objection = await hookObjection(hooks, call, signal, clock);
  return objection && "deny" in objection ? objection.deny : objection;
}

describe("the hooks before a call", () => {
  it("allow it when none refuses", async () => {
    expect(await denial([])).toBeUndefined();
    expect(await denial([passes, passes])).toBeUndefined();
  });

  it("refuse it with their text; the first refusal counts", async () => {
    const hooks: GateHook[] = [passes, async ({ title }) => ({ deny: `no ${title}` }), async () => ({ deny: "later" })];
    expect(await denial(hooks)).toBe("is refused by a hook: no bash ls");
  });

  it("have it asked about where none refuses it", async () => {
    const asks: GateHook = async () => ({ ask: "sure?" });
    expect(await denial([passes, asks, passes])).toEqual({ ask: "a hook asks for your approval: sure?" });
    expect(await denial([asks, async () => ({ deny: "no" })])).toBe("is refused by a hook: no");
  });

  it.each<[string, GateHook]>([
    ["throws", () => Promise.reject(new Error("bug"))],
    [
      "throws at once",
      () => {
        throw new Error("bug");
      },
    ],
    ["answers nonsense", (async () => "fine") as unknown as GateHook],
    ["answers null", (async () => null) as unknown as GateHook],
    ["refuses with no words", (async () => ({ deny: 5 })) as unknown as GateHook],
  ])("row 66: refuse it when one %s", async (_name, hook) => {
    expect(await denial([hook])).toMatch(/^is refused: a hook that checks calls/);
  });

  it("row 66: refuse it when one hangs for 30 seconds, which is then aborted", async () => {
    const clock = new ManualClock();
    let stopped: AbortSignal | undefined;
    const hangs: GateHook = (_call, signal) => {
      stopped = signal;
      return new Promise(() => undefined);
    };
    const answer = denial([hangs], clock);
    clock.advance(30_000);
    expect(await answer).toBe("is refused: a hook that checks calls took longer than 30 s");
    expect(stopped?.aborted).toBe(true);
  });

  it("row 66: refuse it with a shortened text when theirs is endless", async () => {
    expect(String(await denial([async () => ({ deny: "x".repeat(1_000_000) })])).length).toBeLessThan(600);
  });

  it("do not delay a call that was cancelled", async () => {
    const gone = new AbortController();
    const answer = denial([() => new Promise(() => undefined)], new ManualClock(), gone.signal);
    gone.abort();
    expect(await answer).toBeUndefined();
  });
});

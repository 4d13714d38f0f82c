import { call, calling, failing, MemorySession, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const never = { type: "until", promise: new Promise<void>(() => undefined) } as const;
const words = { type: "text", text: "half" } as const;
const broken = { type: "failed", failure: { kind: "network", message: "reset" } } as const;
const input = { type: "tool_input", toolCallId: "a", name: "write", text: '{"file_path":"x","content":"yy' } as const;
const prefill = { type: "status", phase: "prefill", doneTokens: 5, totalTokens: 10 } as const;
const queued = { type: "status", phase: "queued", ahead: 1, slots: 1 } as const;
const again = { type: "retry", attempt: 2, maxAttempts: 5, delayMs: 1, failure: broken.failure } as const;
const unpriced = (unpricedRequests: number) => ({ usd: 0, unpricedRequests });

function priced(script: ScriptedEvent[][], price: { input: number; output: number } = { input: 10, output: 100 }) {
  const memory = new MemorySession({ script });
  const { chooseModel } = memory.ports;
  memory.ports.chooseModel = async (config) => {
    const usual = await chooseModel(config);
    return "problem" in usual ? usual : { ...usual, price };
  };
  return memory;
}

describe("a request that broke off", () => {
  it.each<[string, ScriptedEvent[], number]>([
    ["in words", [words, broken], 1],
    ["inside a call", [input, broken], 1],
    ["without an end, inside a call", [input], 1],
    ["before anything came", [broken], 0],
    ["while it waited for its turn", [queued, broken], 0],
    ["because it was refused", failing("overflow"), 0],
    ["after an attempt that is void, in words", [words, again, words, broken], 2],
    ["after an attempt that had brought nothing", [again, words, broken], 1],
  ])("a request that broke off counts as unpriced, never as free: %s", async (_name, events, count) => {
    const memory = priced([events]);
    await memory.say("go");
    expect(memory.session.state.cost).toEqual(unpriced(count));
    expect(memory.session.state.requests).toBe(count);
    expect(memory.facts("state_update").at(-1)?.cost ?? unpriced(0)).toEqual(unpriced(count));
    expect(memory.states.live).toEqual(memory.states.folded);
    expect(memory.states.client).toEqual(memory.states.folded);
  });

  it.each<[string, ScriptedEvent[], number]>([
    ["inside a call", [input, never], 1],
    ["while the server read it", [prefill, never], 1],
    ["while it waited for its turn", [queued, never], 0],
  ])("a request that a person stopped costs as much: %s", async (_name, events, count) => {
    const memory = priced([events]);
    memory.prompt("go");
    await memory.untilRequests(1);
    await memory.ports.events.until((event) => "delta" in event);
    memory.session.cancel();
    await memory.session.idle();
    expect(memory.session.state.cost).toEqual(unpriced(count));
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("a request that broke off costs nothing with a free model", async () => {
    const memory = priced([[words, again, input, broken]], { input: 0, output: 0 });
    await memory.say("go");
    expect(memory.session.state).toMatchObject({ requests: 2, cost: unpriced(0) });
  });

  it("an attempt that was sent again is counted beside the one that was answered", async () => {
    const end = saying("done", { usage: { inputTokens: 1_000, outputTokens: 100 } });
    const memory = priced([[words, again, ...end], calling(call("a", "read", { file_path: "x" })), saying("ok")]);
    await memory.say("go");
    const cost = { usd: 0.02, unpricedRequests: 1 };
    expect(memory.session.state.cost).toEqual(cost);
    expect(memory.facts("state_update").at(-1)?.cost).toEqual(cost);
    expect(memory.facts("retry")).toMatchObject([{ cost: unpriced(1), provider: "scripted", model: "scripted-model" }]);
  });
});

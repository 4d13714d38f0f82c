import { failing, HurryingClock, MemorySession, type Script, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const isSummary: (request: Parameters<Script>[0]) => boolean = (request) => request.priority === "background";
const usage = { inputTokens: 10_000, outputTokens: 1_000 };
const prefill = { type: "status", phase: "prefill", doneTokens: 5, totalTokens: 10 } as const;
const held = { type: "until", promise: new Promise<void>(() => undefined) } as const;

/** A session of eight exchanges, whose summaries end like this. */
async function talk(summary: ScriptedEvent[], message = "message"): Promise<MemorySession> {
  const script: Script = (request) => (isSummary(request) ? summary : saying("ok"));
  const memory = new MemorySession({
    script,
    contextWindow: 32_768,
    ports: { clock: new HurryingClock() },
    options: { auto_compact_enabled: false },
  });
  const { chooseModel } = memory.ports;
  memory.ports.chooseModel = async (config) => {
    const usual = await chooseModel(config);
    return "problem" in usual
      ? usual
      : { ...usual, price: { input: 10, output: 100 }, contextWindowAdvice: "Look there." };
  };
  for (let n = 0; n < 8; n += 1) await memory.say(`${message} ${n}`);
  return memory;
}

describe("a summary that came to nothing", () => {
  const cut: ScriptedEvent = { type: "end", parts: [{ type: "text", text: "half" }], stop: "cut", usage };
  const again = {
    type: "retry",
    attempt: 2,
    maxAttempts: 5,
    delayMs: 1,
    failure: { kind: "network", message: "x" },
  } as const;
  it.each<[string, ScriptedEvent[], number, number]>([
    ["empty, with a report, twice", [{ type: "end", parts: [], stop: "end", usage }], 0.4, 0],
    ["cut, with a report", [cut], 0.2, 0],
    ["broken in words, three times", [{ type: "text", text: "half" }], 0, 3],
    ["broken twice, three times", [{ type: "text", text: "half" }, again, { type: "text", text: "half" }], 0, 6],
    [
      "sent again, and empty, twice",
      [{ type: "text", text: "half" }, again, { type: "end", parts: [], stop: "end", usage }],
      0.4,
      2,
    ],
  ])("a summary that came to nothing is in the sums: %s", async (_name, events, usd, unpricedRequests) => {
    const memory = await talk(events);
    const before = memory.session.state.cost;
    expect(await memory.session.compact()).toHaveProperty("problem");
    const { cost } = memory.session.state;
    expect(cost.usd - before.usd).toBeCloseTo(usd, 10);
    expect(cost.unpricedRequests - before.unpricedRequests).toBe(unpricedRequests);
    expect(memory.facts("notice")).toMatchObject([
      { title: "Older messages were not summarised.", cost: { unpricedRequests }, provider: "scripted" },
    ]);
    expect(memory.facts("compaction_update")).toEqual([]);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("a summary that failed before it began costs nothing and leaves no fact", async () => {
    const memory = await talk(failing("network"));
    const { length } = memory.log.lines;
    expect(await memory.session.compact()).toHaveProperty("problem");
    expect(memory.log.lines).toHaveLength(length);
  });
});

describe("row 15: a summary of a conversation that was read in part", () => {
  it("row 15: a summary of a conversation that was read in part does not replace the conversation, costs, and says what to set", async () => {
    const events: ScriptedEvent[] = [
      {
        type: "end",
        parts: [{ type: "text", text: "SUM" }],
        stop: "end",
        usage: { inputTokens: 300, outputTokens: 9 },
      },
    ];
    const memory = await talk(events, "What the person said, at length. ".repeat(2_400));
    const before = memory.session.state.cost.usd;
    const { usedTokens } = memory.session.context() ?? {};
    expect(await memory.session.compact()).toMatchObject({
      provider: { kind: "truncated" },
      problem: expect.stringMatching(
        /^The server read only a part of what was to be summarised: about \d{5} tokens were sent, and it counted 300\. Nothing was changed\. Look there\.$/,
      ),
    });
    expect(memory.session.state.cost.usd - before).toBeCloseTo(4 * 0.0039, 10);
    expect(memory.facts("compaction_update")).toEqual([]);
    expect(memory.session.context()?.usedTokens).toBe(usedTokens);
  });
});

describe("the status of a summary", () => {
  it("the status of a summary is shown until it arrives or is given up", async () => {
    const memory = await talk([prefill, held]);
    const statusOf = () => memory.session.state.agents.get("main")?.status;
    const compacted = memory.session.compact();
    await memory.ports.events.until((event) => "delta" in event && event.delta.sessionUpdate === "request_status");
    expect(statusOf()).toMatchObject({ phase: "prefill", doneTokens: 5 });
    memory.session.cancel();
    expect(await compacted).toEqual({ problem: expect.stringContaining("cancelled") });
    expect(statusOf()).toBeUndefined();
    expect(memory.states.client).toEqual(memory.states.folded);
    const done = await talk([prefill, ...saying("sum")]);
    expect(await done.session.compact()).toHaveProperty("tokensAfter");
    expect(done.session.state.agents.get("main")?.status).toBeUndefined();
  });

  it("the status of a summary replaces that of the request that was too long", async () => {
    const script: Script = (request, n) => {
      if (isSummary(request)) return [held];
      return n < 8 ? saying("ok") : [prefill, ...failing("overflow")];
    };
    const memory = new MemorySession({ script });
    for (let n = 0; n < 8; n += 1) await memory.say(`message ${n}`);
    memory.prompt("too long");
    await memory.untilRequests(10);
    expect(memory.session.state.agents.get("main")?.status).toBeUndefined();
    expect(memory.session.snapshot()).toMatchObject([
      { delta: { sessionUpdate: "compaction_status", phase: "summarize", done: 0, total: 1 } },
    ]);
    memory.session.cancel();
    await memory.session.idle();
    expect(memory.session.snapshot()).toEqual([]);
  });
});

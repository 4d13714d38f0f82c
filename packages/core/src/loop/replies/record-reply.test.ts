import type { ModelChoice } from "@harness/core";
import type { Usage } from "@harness/protocol";
import { call, calling, MemorySession, type Script, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const endOf = (memory: MemorySession) => memory.facts("state_update").at(-1);
const price = { input: 10, output: 100 };
const usage = { inputTokens: 10_000, outputTokens: 1_000 };
const free = { usd: 0, unpricedRequests: 0 };

/** A session whose model has these properties besides the defaults. */
function withChoice(choice: Partial<ModelChoice>, script: Script | ScriptedEvent[][]): MemorySession {
  const memory = new MemorySession({ script });
  const { chooseModel } = memory.ports;
  memory.ports.chooseModel = async (config) => {
    const usual = await chooseModel(config);
    return "problem" in usual ? usual : { ...usual, ...choice };
  };
  return memory;
}

const counted = (events: ScriptedEvent[], of: Usage = usage): ScriptedEvent[] =>
  events.map((event) => (event.type === "end" ? { ...event, usage: of } : event));

describe("the cost of a turn", () => {
  it("the cost of a turn is on each reply, on the turn, and in the session", async () => {
    const script = [counted(calling(call("a", "read", { file_path: "x" }))), counted(saying("done"))];
    const memory = withChoice({ price }, [...script, counted(saying("more"))]);
    await memory.say("go");
    const one = { usd: 0.2, unpricedRequests: 0 };
    expect(memory.facts("agent_message").map(({ cost }) => cost)).toEqual([one, one]);
    expect(endOf(memory)).toMatchObject({ cost: { usd: 0.4, unpricedRequests: 0 }, usage: { inputTokens: 20_000 } });
    await memory.say("on");
    expect(endOf(memory)?.cost).toEqual(one);
    expect(memory.session.state.cost.usd).toBeCloseTo(0.6, 10);
    expect(memory.session.state.usage).toEqual({ inputTokens: 30_000, outputTokens: 3_000 });
    expect(memory.session.context()?.cost).toEqual(memory.session.state.cost);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it.each<[string, Partial<ModelChoice>, Usage | undefined, object]>([
    ["unknown without a price", {}, usage, { usd: 0, unpricedRequests: 1 }],
    ["row 17: unknown without a report", { price }, undefined, { usd: 0, unpricedRequests: 1 }],
    ["nothing on one's own machine", { price: { input: 0, output: 0 } }, undefined, free],
  ])("the cost of a turn is %s", async (_name, choice, of, cost) => {
    const memory = withChoice(choice, [of ? counted(saying("hi"), of) : saying("hi")]);
    await memory.say("go");
    expect(endOf(memory)?.cost).toEqual(cost);
    expect(memory.session.state.cost).toEqual(cost);
  });

  it("the cost of a turn includes the subagents that it started, and the session counts each request once", async () => {
    const script: Script = (request, n) => {
      if (request.priority === "subagent") return counted(saying("found"));
      return counted(n === 0 ? calling(call("a", "start_subagent", { task: "look" })) : saying("done"));
    };
    const memory = withChoice({ price }, script);
    await memory.say("go");
    const requests = memory.provider.requests.length;
    const child = memory.log.facts.findLast(
      ({ agentId, update }) => agentId !== "main" && update.sessionUpdate === "state_update",
    );
    expect(child?.update).toMatchObject({ state: "idle", cost: { usd: 0.2 } });
    expect(endOf(memory)?.cost?.usd).toBeCloseTo(requests * 0.2, 10);
    expect(memory.session.state.cost.usd).toBeCloseTo(requests * 0.2, 10);
    expect(endOf(memory)?.usage?.inputTokens).toBe(requests * 10_000);
  });

  it("the cost of a turn includes an empty reply, which is not shown", async () => {
    const memory = withChoice({ price }, [
      [{ type: "end", parts: [], stop: "end", usage }],
      counted(saying("here I am")),
    ]);
    await memory.say("go");
    expect(endOf(memory)?.cost?.usd).toBeCloseTo(0.4, 10);
    expect(memory.session.state.cost.usd).toBeCloseTo(0.4, 10);
    expect(memory.session.state.agents.get("main")?.items.map(({ kind }) => kind)).toEqual(["user", "agent", "turn"]);
  });

  it("the cost of a turn includes summaries", async () => {
    const memory = withChoice({ price }, () => counted(saying("ok")));
    for (let n = 0; n < 8; n += 1) await memory.say(`message ${n}`);
    const before = memory.session.state.cost.usd;
    await memory.session.compact();
    expect(memory.facts("compaction_update")).toMatchObject([
      { usage, cost: { usd: 0.2, unpricedRequests: 0 }, provider: "scripted", model: "scripted-model" },
    ]);
    expect(memory.session.state.cost.usd).toBeCloseTo(before + 0.2, 10);
    expect(memory.states.live).toEqual(memory.states.folded);
  });
});

describe("row 15: a prompt that the server read in part", () => {
  const long = "What the person pasted, line after line. ".repeat(2_000);
  const cutAt = (inputTokens: number, events: ScriptedEvent[]) => counted(events, { inputTokens, outputTokens: 5 });

  it("row 15: a prompt that the server read in part stops the turn, answers its calls, and says what to set", async () => {
    const memory = withChoice({ contextWindowAdvice: "Start it with a larger -c." }, [
      cutAt(
        4_096,
        calling(call("a", "write", { file_path: "x", content: "y" }), call("b", "read", { file_path: "x" })),
      ),
    ]);
    await memory.say(long);
    expect(endOf(memory)).toMatchObject({ stopReason: "error", error: { kind: "truncated" } });
    expect(endOf(memory)?.error?.message).toMatch(
      /^The server read only a part of the conversation: about 2\d{4} tokens were sent, and it counted 4096\. Start it with a larger -c\.$/,
    );
    expect(memory.facts("tool_call_update")).toMatchObject([
      { toolCallId: "a", status: "failed", outcome: { status: "error", text: expect.stringMatching(/^not run: /) } },
      { toolCallId: "b", status: "failed", outcome: { status: "error", text: expect.stringMatching(/^not run: /) } },
    ]);
    expect(memory.provider.requests).toHaveLength(1);
    expect(memory.session.context()?.truncated).toMatchObject({ readTokens: 4_096 });
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("row 15: a prompt that the server read in part stops a reply of text as well, and an empty one", async () => {
    for (const events of [saying("Fine."), [{ type: "end", parts: [], stop: "end" } as ScriptedEvent]]) {
      const memory = withChoice({}, [cutAt(4_096, events)]);
      await memory.say(long);
      expect(endOf(memory)?.error?.kind).toBe("truncated");
      expect(memory.provider.requests).toHaveLength(1);
    }
  });

  it("row 15: a prompt that the server read in part is over when a later request is counted whole", async () => {
    const script: Script = (_request, n) =>
      n === 0 ? cutAt(4_096, saying("hm")) : n === 1 ? saying("no report") : cutAt(21_000, saying("all of it"));
    const memory = withChoice({}, script);
    await memory.say(long);
    await memory.say("again");
    expect(memory.session.context()?.truncated).toBeDefined();
    await memory.say("and now?");
    expect(memory.session.context()?.truncated).toBeUndefined();
    expect(memory.session.context()?.usedTokens).toBeGreaterThan(21_000);
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
  });

  it("row 15: a prompt that the server read in part does not ask for another setting where the known window is full", async () => {
    const memory = withChoice({ contextWindow: { tokens: 30_000, source: "server" } }, [cutAt(7_000, saying("hm"))]);
    await memory.say("a word ".repeat(8_200));
    expect(endOf(memory)?.error?.message).toContain("set context_limit to 7000");
    const full = withChoice({ contextWindow: { tokens: 16_384, source: "server" } }, [
      saying("no report"),
      cutAt(16_384, saying("hm")),
    ]);
    full.values = { ...full.values, auto_compact_enabled: false };
    await full.say("数据".repeat(15_000));
    await full.say("数据".repeat(10_000));
    expect(full.facts("state_update").at(-1)?.error?.message).toContain("Its context window is full (16384 tokens)");
  });

  it("row 15: a prompt of a subagent that was read in part is reported to its parent", async () => {
    const script: Script = (request, n) => {
      if (request.priority === "subagent") return cutAt(2_048, saying("hm"));
      return n === 0 ? calling(call("a", "start_subagent", { task: long.slice(0, 60_000) })) : saying("I see.");
    };
    const memory = withChoice({}, script);
    await memory.say("go");
    const mail = memory
      .facts("user_message")
      .find(({ origin, fromAgentId }) => origin === "subagent" && fromAgentId !== "main");
    expect(JSON.stringify(mail?.content)).toContain("FAILED: The server read only a part");
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.session.context()?.truncated).toBeUndefined();
  });

  it("row 15: a prompt without its oldest messages is noticed as well, and reported with the most that was read", async () => {
    // Counts whole messages up to 4,096 tokens: always the last one, then those before it.
    const script: Script = ({ system, tools, messages }) => {
      let read = Math.ceil((system.length + JSON.stringify(tools).length) / 4);
      for (const message of messages.toReversed()) {
        const size = Math.ceil(JSON.stringify(message).length / 4);
        if (read + size > 4_096) break;
        read += size;
      }
      return cutAt(read, saying("Fine. ".repeat(100)));
    };
    const memory = withChoice({ contextWindow: { tokens: 8_192, source: "setting" } }, script);
    for (let n = 0; n < 14 && endOf(memory)?.error === undefined; n += 1)
      await memory.say("A word of mine. ".repeat(80));
    expect(endOf(memory)?.error).toMatchObject({
      kind: "truncated",
      message: expect.stringContaining("context_limit to"),
    });
    const [, limit] = /context_limit to (\d+)/.exec(endOf(memory)?.error?.message ?? "") ?? [];
    expect(Number(limit)).toBeGreaterThan(3_000);
    expect(Number(limit)).toBeLessThanOrEqual(4_096);
    expect(memory.session.context()?.usedTokens).toBeGreaterThan(4_096);
  });

  it("row 15: the advice about the context window is never below what any model has", async () => {
    const memory = withChoice({}, [cutAt(500, saying("hm"))]);
    await memory.say(long);
    expect(endOf(memory)?.error?.message).toContain("set context_limit to 1024,");
  });

  it("row 15: the alarm about a prompt ends when that conversation is compacted", async () => {
    const script: Script = (request, n) =>
      request.priority === "background" ? saying("sum") : cutAt(n < 8 ? 10_000 : 4_096, saying("ok"));
    const memory = withChoice({}, script);
    for (let n = 0; n < 8; n += 1) await memory.say(`message ${n}`);
    await memory.say(long);
    expect(memory.session.context()?.truncated).toBeDefined();
    await memory.session.compact();
    expect(memory.session.context()).not.toHaveProperty("truncated");
  });

  it("a step that sends less is not taken for a server that read a part", async () => {
    const memory = new MemorySession({
      script: ({ messages }) => cutAt(JSON.stringify(messages).length / 4 + 500, saying("ok")),
      steps: [
        {
          stage: "assemble",
          name: "90-last",
          run: (state) => (state.nextState === "send" ? { ...state, messages: state.messages.slice(-1) } : state),
        },
      ],
    });
    for (let n = 0; n < 12; n += 1) await memory.say("A word of mine. ".repeat(240));
    expect(memory.facts("state_update").filter(({ error }) => error)).toEqual([]);
  });
});

describe("a server that reports only uncached tokens", () => {
  it("a server that reports only uncached tokens is reported once, and raises no alarm", async () => {
    let last = 0;
    const memory = new MemorySession({
      script: (request) => {
        const all = JSON.stringify([request.system, request.tools, request.messages]).length;
        const inputTokens = Math.ceil((all - last) / 4);
        last = all;
        return counted(saying("ok"), { inputTokens, outputTokens: 3 });
      },
    });
    await memory.say("The first message is long. ".repeat(800));
    const { usedTokens = 0 } = memory.session.context() ?? {};
    for (let n = 0; n < 4; n += 1) {
      await memory.say("and now?");
      expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    }
    expect(memory.session.context()?.usedTokens).toBeGreaterThan(usedTokens);
    expect(memory.facts("notice").map(({ title }) => title)).toEqual([
      "The server counts only what it had not read before.",
    ]);
    expect(memory.states.live).toEqual(memory.states.folded);
  });
});

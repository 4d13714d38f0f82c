import { call, calling, failing, MemorySession, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

async function said(script: ScriptedEvent[][], setup: Partial<ConstructorParameters<typeof MemorySession>[0]> = {}) {
  const memory = new MemorySession({ script, ...setup });
  await memory.say("go");
  expect(memory.states.live).toEqual(memory.states.folded);
  expect(memory.states.client).toEqual(memory.states.folded);
  return memory;
}

const endOf = (memory: MemorySession) => memory.facts("state_update").at(-1);
const noticesOf = (memory: MemorySession) => memory.facts("notice").map((notice) => notice.title);
const network = { kind: "network" as const, message: "reset" };

describe("a reply", () => {
  it("a reply streams with offsets in UTF-16 units, and its fact follows", async () => {
    const memory = await said([
      [
        { type: "thinking", text: "hm" },
        { type: "thinking", text: "m" },
        { type: "text", text: "a😀" },
        { type: "text", text: "" },
        { type: "text", text: "b" },
        { type: "end", parts: [{ type: "text", text: "a😀b" }], stop: "end" },
      ],
    ]);
    const sent = memory.ports.events.all.flatMap((event): [string, number?][] => {
      if ("delta" in event && "offset" in event.delta) return [[event.delta.sessionUpdate, event.delta.offset]];
      return "stored" in event && event.stored.update.sessionUpdate === "agent_message" ? [["agent_message"]] : [];
    });
    expect(sent).toEqual([
      ["agent_thought_chunk", 0],
      ["agent_thought_chunk", 2],
      ["agent_message_chunk", 0],
      ["agent_message_chunk", 3],
      ["agent_message"],
    ]);
  });

  it("a reply that is sent again starts from nothing", async () => {
    const memory = await said([
      [
        { type: "text", text: "half" },
        { type: "tool_input", toolCallId: "a", name: "read", text: "{" },
        { type: "retry", attempt: 1, maxAttempts: 5, delayMs: 10, failure: network },
        { type: "text", text: "whole" },
        { type: "end", parts: [{ type: "text", text: "whole" }], stop: "end" },
      ],
    ]);
    expect(memory.facts("retry")).toMatchObject([{ attempt: 1, maxAttempts: 5, delayMs: 10, error: network }]);
    expect(memory.session.state.agents.get("main")?.items.at(-2)).toMatchObject({ parts: [{ text: "whole" }] });
  });

  it("a reply that breaks off is kept for people and not for the model", async () => {
    const parts = [{ type: "text" as const, text: "half" }, call("a", "read", { file_path: "x" })];
    const memory = await said([
      [
        { type: "text", text: "half" },
        { type: "failed", failure: network, parts },
      ],
      saying("again"),
    ]);
    expect(endOf(memory)).toMatchObject({ state: "idle", stopReason: "error", error: network });
    expect(memory.facts("agent_message")).toMatchObject([{ stop: "cut", parts: [{ text: "half" }] }]);
    expect(memory.facts("tool_call_update")).toEqual([]);
    await memory.say("on");
    expect(memory.provider.requests[1]?.messages).toMatchObject([
      { content: [{ text: "go" }] },
      { content: [{ text: "on" }] },
    ]);
  });

  it("a reply that ends without an end event is broken", async () => {
    const memory = await said([[{ type: "text", text: "half" }]]);
    expect(endOf(memory)).toMatchObject({ stopReason: "error", error: { kind: "network" } });
    expect(memory.facts("agent_message")).toMatchObject([{ stop: "cut", parts: [{ text: "half" }] }]);
  });

  it("a reply that the provider cut by itself is broken", async () => {
    const memory = await said([[{ type: "end", parts: [call("a", "read", { file_path: "x" })], stop: "cut" }]]);
    expect(endOf(memory)).toMatchObject({ stopReason: "error", error: { kind: "network" } });
    expect(memory.facts("tool_call_update")).toEqual([]);
  });

  it("a reply that is cut within a call reports no repair of that call", async () => {
    const memory = await said([
      [
        { type: "text", text: "hi" },
        { type: "repair", what: "leaked_thinking", detail: "Thoughts were taken out of the text." },
        { type: "repair", what: "text_call", toolCallId: "zz", detail: "A call was found in the text." },
        { type: "end", parts: [{ type: "text", text: "hi" }, call("zz", "read", { file_path: "x" })], stop: "cut" },
      ],
    ]);
    expect(memory.facts("repair").map(({ what }) => what)).toEqual(["leaked_thinking"]);
    expect(memory.facts("agent_message")[0]?.parts).toEqual([{ type: "text", text: "hi" }]);
  });

  it.each(["auth", "rateLimit", "badRequest", "refused"] as const)(
    "a reply that failed with %s says so",
    async (kind) => {
      const memory = await said([failing(kind, "because")]);
      expect(endOf(memory)).toMatchObject({ stopReason: "error", error: { kind, message: "because" } });
    },
  );

  it("a reply of a provider that throws is a bug, and the session goes on", async () => {
    const memory = new MemorySession({ script: [saying("fine")] });
    const { stream } = memory.provider;
    memory.provider.stream = () => {
      throw new Error("detail");
    };
    await memory.say("go");
    expect(endOf(memory)).toMatchObject({ stopReason: "error", error: { kind: "internal" } });
    expect(memory.ports.reports).toMatchObject([{ where: "provider.stream" }]);
    memory.provider.stream = stream;
    await memory.say("again");
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
  });

  it("a reply with nothing in it is asked for once more", async () => {
    const memory = await said([[{ type: "end", parts: [], stop: "end" }], saying("here I am")]);
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.provider.requests[1]).toEqual(memory.provider.requests[0]);
    expect(noticesOf(memory)).toEqual([]);
  });

  it("a reply with nothing in it, twice, fails the turn", async () => {
    const thinking = { type: "thinking" as const, text: "hm" };
    const memory = await said([
      [{ type: "end", parts: [], stop: "end" }],
      [thinking, { type: "end", parts: [thinking], stop: "end" }],
    ]);
    expect(endOf(memory)).toMatchObject({
      stopReason: "error",
      error: { kind: "empty", message: expect.stringContaining("The model answered nothing, twice.") },
    });
    expect(memory.provider.requests).toHaveLength(2);
  });

  it("an end that nobody knows is said where no call follows it", async () => {
    const end = { type: "end" as const, stop: "end" as const, oddEnd: "moderation_hold" };
    const calls = await said([
      [{ ...end, parts: [call("a", "read", { file_path: "x" })], stop: "tool_calls" }],
      [{ ...end, parts: [{ type: "text", text: "Half an ans" }] }],
    ]);
    expect(noticesOf(calls)).toEqual([
      'The model\'s server ended the reply with "moderation_hold", which harness does not know: the answer may be incomplete.',
    ]);
    expect(endOf(calls)).toMatchObject({ stopReason: "end_turn" });
  });

  it("a reply that reached the limit of output ends the turn so, and fronts word it", async () => {
    const memory = await said([saying("once upon a", { stop: "length" })]);
    expect(endOf(memory)).toMatchObject({ stopReason: "max_tokens" });
    expect(noticesOf(memory)).toEqual([]);
  });

  it("a reply that reached the limit in the middle of a call has that call answered, not completed", async () => {
    const parts = [
      call("a", "read", { file_path: "x" }),
      { type: "tool_call" as const, toolCallId: "b", name: "write", inputText: '{"file_path":"x","content":"half' },
    ];
    const memory = await said([[{ type: "end", parts, stop: "length" }], saying("done")]);
    const outcomes = memory.facts("tool_call_update").flatMap((each) => (each.outcome ? [each.outcome] : []));
    expect(outcomes.map((each) => each.status).sort()).toEqual(["error", "invalid"]);
    expect(outcomes.find((each) => each.status === "invalid")?.text).toContain("Send it in parts");
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
  });

  it.each([
    ["an object", (text: string) => ({ input: JSON.parse(text) as Record<string, unknown> })],
    ["text", (text: string) => ({ inputText: text })],
    ["text in text", (text: string) => ({ inputText: JSON.stringify(text) })],
    ["vendor data", (text: string) => ({ input: { file_path: "x" }, vendorData: JSON.parse(text) as unknown })],
  ])("a reply with a JSON bomb as %s is stored without it", async (kind, written) => {
    const deep = `{"file_path":"a","x":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    const bomb = { type: "tool_call" as const, toolCallId: "a", name: "read", ...written(deep) };
    const memory = await said([[{ type: "end", parts: [bomb], stop: "tool_calls" }], saying("done"), saying("fine")]);
    const outcome = memory.facts("tool_call_update").at(-1)?.outcome;
    const isArguments = kind !== "vendor data";
    expect(outcome?.status).toBe(isArguments ? "invalid" : "error");
    if (isArguments) expect(outcome?.text).toContain("nested deeper than 64 levels");
    const [stored] = memory.facts("agent_message")[0]?.parts ?? [];
    expect(stored).not.toHaveProperty("vendorData");
    if (kind === "an object" || kind === "text") {
      const inputText = expect.stringMatching(/^\{"file_path":"a","x":\[{60}.{1,119}$/);
      expect(stored).toEqual({ type: "tool_call", toolCallId: "a", name: "read", inputText });
    }
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    await memory.say("again");
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
  });

  it("a reply with arguments as deep as any tool takes goes through", async () => {
    const nested = JSON.parse(`${"[".repeat(63)}${"]".repeat(63)}`) as unknown;
    const memory = await said([calling(call("a", "read", { file_path: "a", x: nested })), saying("done")]);
    expect(memory.facts("agent_message")[0]?.parts[0]).toMatchObject({ input: { x: nested } });
    expect(memory.facts("tool_call_update").at(-1)?.outcome?.status).toBe("error");
  });

  it("a reply that refuses ends the turn", async () => {
    const memory = await said([saying("I will not.", { stop: "refusal" })]);
    expect(endOf(memory)).toMatchObject({ stopReason: "refusal" });
    const silent = await said([[{ type: "end", parts: [], stop: "refusal" }]]);
    expect(endOf(silent)).toMatchObject({ stopReason: "refusal" });
  });

  it("a reply with calls is followed, whatever stop reason it has", async () => {
    const memory = await said([
      [{ type: "end", parts: [call("a", "read", { file_path: "x" })], stop: "end" }],
      saying("done"),
    ]);
    expect(memory.facts("tool_call_update")).toHaveLength(3);
  });

  it("a reply is counted in the turn's usage, which is the sum", async () => {
    const memory = await said([
      [
        {
          type: "end",
          parts: [call("a", "read", { file_path: "x" })],
          stop: "tool_calls",
          usage: { inputTokens: 500, outputTokens: 5 },
        },
      ],
      saying("done", { usage: { inputTokens: 600, outputTokens: 7 } }),
    ]);
    expect(endOf(memory)).toMatchObject({ usage: { inputTokens: 1_100, outputTokens: 12 } });
    expect(memory.session.context()).toMatchObject({ windowTokens: 128_000, windowSource: "setting" });
    expect(memory.session.context()?.usedTokens).toBeGreaterThanOrEqual(600);
  });
});

describe("requests", () => {
  it("requests begin with the bytes of the one before", async () => {
    const many = Array.from({ length: 5 }, (_, n) =>
      calling(
        call(`c${n}`, "read", { file_path: `${n}` }),
        call(`d${n}`, "write", { file_path: `${n}`, content: "x" }),
      ),
    );
    const memory = await said([...many, saying("done"), saying("and more"), saying("x")]);
    await memory.say("second");
    await memory.say("third");
    const bytes = memory.provider.requests.map(({ system, tools, messages }) =>
      JSON.stringify([system, tools, messages]).slice(0, -2),
    );
    expect(bytes).toHaveLength(8);
    for (const [index, text] of bytes.slice(1).entries()) expect(text.startsWith(bytes[index] ?? "?")).toBe(true);
  });

  it("requests name their lane and the size of the context window", async () => {
    const memory = await said([saying("hi")]);
    expect(memory.provider.requests[0]).toMatchObject({
      model: "scripted-model",
      priority: "turn",
      contextWindow: 128_000,
    });
  });

  it("requests are not made without a model", async () => {
    const memory = new MemorySession({ script: [], ports: { chooseModel: async () => ({ problem: "Set a key." }) } });
    await memory.say("go");
    expect(endOf(memory)).toMatchObject({ stopReason: "error", error: { kind: "config", message: "Set a key." } });
  });

  it("requests are made after a failure to read the workspace has passed", async () => {
    let broken = true;
    const memory = new MemorySession({
      script: [saying("hi")],
      ports: {
        instructionFiles: async () => {
          if (broken) throw new Error("EIO");
          return [];
        },
      },
    });
    await memory.say("go");
    expect(endOf(memory)).toMatchObject({ stopReason: "error", error: { kind: "internal" } });
    broken = false;
    await memory.say("go");
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
  });
});

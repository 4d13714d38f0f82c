import { call, calling, MemoryLog, MemorySession, type Script, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const long = Array.from({ length: 6_000 }, (_, n) => `Line ${n} of it. `).join("");
const overflow: ScriptedEvent[] = [{ type: "failed", failure: { kind: "overflow", message: "prompt is too long" } }];
const sizeOf = (request: { messages: unknown }) => JSON.stringify(request.messages).length;
const replyIn = (memory: MemorySession, n = -1) => {
  const reply = memory.provider.requests.at(n)?.messages.find(({ role }) => role === "assistant");
  return reply?.role === "assistant" ? reply.parts : [];
};

describe("a reply that is too long for the context window", () => {
  const answering: Script = (_request, n) => (n === 0 ? saying(long, { stop: "length" }) : saying("ok"));

  it("is sent as its beginning and end in the next request, also of the last exchange", async () => {
    const memory = new MemorySession({ script: answering, contextWindow: 8_192 });
    await memory.say("go");
    await memory.say("next");
    const [text] = replyIn(memory);
    const sent = text?.type === "text" ? text.text : "";
    expect(sent.length).toBeLessThan(9_000);
    expect(sent.startsWith("Line 0 of it.")).toBe(true);
    const [, path = ""] = /The whole text is in (\S+)\. Read it in parts/.exec(sent) ?? [];
    expect(memory.log.texts.get(path)).toBe(long);
    expect(memory.facts("context_update")).toMatchObject([
      { reason: "too_long", title: expect.stringContaining("A reply was too long for the context window") },
    ]);
    expect(memory.facts("agent_message")[0]?.parts).toEqual([{ type: "text", text: long }]);
    const again = new MemorySession({
      script: [saying("ok")],
      contextWindow: 8_192,
      log: new MemoryLog("s1", "/work", memory.log.lines),
    });
    await memory.say("after");
    await again.say("after");
    expect(again.provider.requests[0]?.messages).toEqual(memory.provider.requests.at(-1)?.messages);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("is something to compact for a person", async () => {
    const memory = new MemorySession({
      script: answering,
      contextWindow: 8_192,
      options: { auto_compact_enabled: false },
    });
    await memory.say("go");
    const answer = await memory.session.compact();
    expect(answer).toMatchObject({ tokensAfter: expect.any(Number) });
    if ("tokensAfter" in answer) expect(answer.tokensAfter).toBeLessThan(answer.tokensBefore / 4);
  });

  it("is shortened where only the provider knows how long that is, its thoughts and its calls' results too", async () => {
    const thoughts = `Hm. ${long.slice(0, 20_000)}`;
    const memory = new MemorySession({
      contextWindow: 200_000,
      script: (request, n) => {
        if (request.priority === "background") return saying("Short.");
        if (n === 0) return saying(long, {});
        if (n === 1) return calling({ type: "thinking", text: thoughts }, call("c", "none", {}));
        return sizeOf(request) > 60_000 ? overflow : saying("done");
      },
    });
    await memory.say("go");
    await memory.say("next");
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    expect(sizeOf(memory.provider.requests.at(-1) ?? { messages: [] })).toBeLessThan(60_000);
  });

  it("stays whole where there is room", async () => {
    const memory = new MemorySession({ script: answering, contextWindow: 200_000 });
    await memory.say("go");
    await memory.say("next");
    expect(replyIn(memory)).toEqual([{ type: "text", text: long }]);
  });
});

describe("a request that was refused as too long", () => {
  const isSummary: (request: Parameters<Script>[0]) => boolean = ({ priority }) => priority === "background";
  const chars = (request: Parameters<Script>[0]) => sizeOf(request) + request.system.length;

  it.each([
    ["a good summary", 9_000, "Short."],
    ["a summary that is longer than what it replaces", 9_000, "Long summary. ".repeat(2_000)],
    ["no summary", 9_000, undefined],
    ["little room", 2_500, "Short."],
    ["room for hardly more than the last message", 900, "Long summary. ".repeat(2_000)],
  ])("is shorter each time that it is sent, until it fits: %s", async (_name, limit, summary) => {
    const refused: number[] = [];
    let isNarrow = false;
    const memory = new MemorySession({
      contextWindow: 8_192,
      script: (request) => {
        if (isSummary(request)) return summary === undefined ? overflow : saying(summary);
        if (!isNarrow || sizeOf(request) < limit) return saying(`An answer. ${"word ".repeat(60)}`);
        refused.push(chars(request));
        return overflow;
      },
    });
    for (let n = 0; n < 9; n += 1) await memory.say(`Message ${n}: ${"this must be done too ".repeat(30)}`);
    isNarrow = true;
    await memory.say("the last one");
    expect(refused.length).toBeGreaterThan(0);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    const sizes = [...refused, chars(memory.provider.requests.at(-1) ?? ({ messages: [], system: "" } as never))];
    for (const [at, size] of sizes.slice(1).entries()) expect(size).toBeLessThan(sizes[at] ?? 0);
    expect(JSON.stringify(memory.provider.requests.at(-1)?.messages)).toContain("the last one");
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("fails the turn where nothing is left to leave out", async () => {
    const memory = new MemorySession({ script: (request) => (isSummary(request) ? saying("Short.") : overflow) });
    await memory.say("go");
    expect(memory.provider.requests.filter((request) => !isSummary(request))).toHaveLength(1);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "error", error: { kind: "overflow" } });
  });
});

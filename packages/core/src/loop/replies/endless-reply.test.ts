import { type AgentPart, textOf } from "@harness/protocol";
import { call, MemorySession, memoryTools, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const BLOCK = "I will do it now. I will start. ";
/** A model that does not stop; after the reply is cut, no further event is read. */
function endless(type: "text" | "thinking", seen = { pieces: 0 }): ScriptedEvent[] {
  return Array.from(
    { length: 20_000 },
    (): ScriptedEvent => ({
      type,
      get text() {
        seen.pieces += 1;
        return BLOCK;
      },
    }),
  );
}
const endOf = (memory: MemorySession) => memory.facts("state_update").at(-1);
const wordsOf = (parts: readonly AgentPart[]) => parts.map((part) => ("text" in part ? part.text : "")).join("");

describe("a reply that repeats itself without end", () => {
  it.each(["text", "thinking"] as const)("is stopped in its %s, kept short, and asked for once more", async (type) => {
    const memory = new MemorySession({ script: [endless(type), saying("done")] });
    await memory.say("go");
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    const [first, last] = memory.facts("agent_message");
    expect(first?.stop).toBe("cut");
    expect(wordsOf(first?.parts ?? [])).toBe(
      `${BLOCK}${BLOCK.trimEnd()}\n\n[The model repeated this, and was stopped.]`,
    );
    expect(textOf(last?.parts ?? [])).toBe("done");
    const sent = memory.provider.requests[1]?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(["user", "user"]);
    expect(JSON.stringify(sent.at(-1))).toContain("repeated the same text without end");
    const shown = memory.ports.events.all.filter((event) => "delta" in event);
    expect(shown.length).toBeLessThan(1_000);
    expect(memory.states.live).toEqual(memory.states.folded);
    expect(memory.states.client).toEqual(memory.states.folded);
  });

  it("ends the turn as a loop when it comes twice", async () => {
    const memory = new MemorySession({ script: [endless("text"), endless("thinking")] });
    await memory.say("go");
    expect(endOf(memory)).toMatchObject({ stopReason: "loop" });
    expect(memory.facts("notice")).toMatchObject([{ title: "Stopped: the model repeated itself without end, twice." }]);
    await memory.say("again");
    expect(memory.provider.requests).toHaveLength(3);
  });

  it("is stopped in the arguments of a call, which does not run", async () => {
    const files = new Map<string, string>();
    const input: ScriptedEvent[] = Array.from({ length: 9_000 }, () => ({
      ...{ type: "tool_input" as const, toolCallId: "a", name: "write", text: "0, 0, 0, 0, " },
    }));
    const memory = new MemorySession({ script: [input, saying("done")], tools: memoryTools(files) });
    await memory.say("go");
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.facts("tool_call_update")).toEqual([]);
    expect(files.size).toBe(0);
  });

  it("is none where lines are alike, or where it ends", async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => `| ${n} | ok | 0 |\n`).join("");
    const again = `${"again ".repeat(2_000)}and now something else.`;
    const memory = new MemorySession({ script: [saying(rows), saying(again)] });
    await memory.say("go");
    await memory.say("go");
    expect(memory.facts("agent_message").map(({ parts }) => textOf(parts))).toEqual([rows, again]);
  });

  it("does not undo what its calls have done", async () => {
    const files = new Map<string, string>();
    const write = call("a", "write", { file_path: "x", content: "1" });
    const events: ScriptedEvent[] = [{ type: "call", part: write }, ...endless("text")];
    const memory = new MemorySession({ script: [events, saying("done")], tools: memoryTools(files) });
    await memory.say("go");
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    const roles = memory.provider.requests[1]?.messages.map(({ role }) => role);
    expect(roles?.includes("tool")).toBe(files.size === 1);
  });
});

describe("a reply that fills the context window up", () => {
  const usage = { inputTokens: 20_000, outputTokens: 12_700 };
  const cut = (text: string, more: object = {}): ScriptedEvent[] => [
    { type: "end", parts: text === "" ? [] : [{ type: "text", text }], stop: "length", usage, ...more },
  ];
  const isSummary = ({ priority }: { priority: string }) => priority === "background";

  /** Six exchanges, then one whose reply is cut by these events. */
  async function full(events: ScriptedEvent[], contextWindow = 32_768) {
    let isLate = false;
    let isCut = false;
    const memory = new MemorySession({
      contextWindow,
      script: (request) => {
        if (isSummary(request)) return saying("Short.");
        if (!isLate || isCut) return saying("done");
        isCut = true;
        return events;
      },
    });
    for (let n = 0; n < 6; n += 1) await memory.say(`message ${n} ${"word ".repeat(200)}`);
    isLate = true;
    await memory.say("go");
    return memory;
  }

  it.each([
    ["some text", "Half an ans"],
    ["nothing but thoughts", ""],
  ])("is asked for once more when there is more room: %s", async (_name, text) => {
    const memory = await full(cut(text));
    expect(memory.facts("compaction_update")).toMatchObject([{ reason: "overflow" }]);
    expect(endOf(memory)).toMatchObject({ stopReason: "end_turn" });
    expect(JSON.stringify(memory.provider.requests.at(-1)?.messages)).not.toContain("Half an ans");
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it.each<[string, ScriptedEvent[], number]>([
    ["its own limit, far below", cut("Half an ans"), 131_072],
    ["a window that is larger than believed", cut("Half an ans"), 8_192],
    ["an unknown number of tokens", cut("Half an ans", { usage: undefined }), 32_768],
  ])("is not one that reached %s", async (_name, events, contextWindow) => {
    const memory = await full(events, contextWindow);
    expect(endOf(memory)).toMatchObject({ stopReason: "max_tokens" });
    expect(memory.facts("compaction_update").filter(({ reason }) => reason === "overflow")).toEqual([]);
  });

  it("stays as it is where nothing can be made shorter", async () => {
    const memory = new MemorySession({ script: [cut("Half an ans")], contextWindow: 32_768 });
    await memory.say("go");
    expect(endOf(memory)).toMatchObject({ stopReason: "max_tokens" });
    expect(memory.facts("agent_message").map(({ parts }) => textOf(parts))).toEqual(["Half an ans"]);
  });
});

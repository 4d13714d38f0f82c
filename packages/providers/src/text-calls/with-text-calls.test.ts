import type { ModelEvent, ModelMessage, ModelRequest, Provider } from "@harness/core";
import type { AgentPart, Stop, ThinkingPart } from "@harness/protocol";
import { endEvent, joinDeltas, talk } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { InstantClock } from "../../test/clocks.ts";
import { tools } from "../../test/offered.ts";
import { withRetry } from "../wires/retry/retry.ts";
import type { WireEvent, WireProvider } from "../wires/wire-api.ts";
import { withReadReplies } from "./read-replies.ts";
import { textForm, withTextCalls } from "./with-text-calls.ts";

const block = '<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>';
const found = { type: "tool_call", toolCallId: "call_text_1", name: "read", input: { path: "a" }, foundInText: true };

/** Says the text in pieces of this many characters. */
function saying(text: string, size = 5, stop: Stop = "end"): ModelEvent[] {
  const deltas: ModelEvent[] = [];
  for (let at = 0; at < text.length; at += size) deltas.push({ type: "text", text: text.slice(at, at + size) });
  return [...deltas, { type: "end", parts: text === "" ? [] : [{ type: "text", text }], stop }];
}

function playing(events: readonly ModelEvent[]): Provider & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    id: "played",
    requests,
    async *stream(request) {
      requests.push(request);
      yield* events;
    },
  };
}

function hear(events: readonly ModelEvent[], messages?: ModelMessage[]) {
  const provider = withTextCalls(playing(events));
  return talk(provider, { tools: [...tools], ...(messages && { messages }) });
}

/** Thinks the text, and then says the rest. */
function thinking(text: string, rest: AgentPart[] = [], more: Partial<ThinkingPart> = {}): ModelEvent[] {
  return [
    { type: "thinking", text },
    { type: "end", parts: [{ type: "thinking", text, ...more }, ...rest], stop: "end" },
  ];
}

const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const result = (text: string): ModelMessage => ({ role: "tool", toolCallId: "c1", name: "read", text, isError: false });

describe("a call at the end of thoughts", () => {
  const vendorData = { field: "reasoning_content" };

  it("is found where nothing else came", async () => {
    const end = endEvent(await hear(thinking(`I should read it.\n${block}`, [], { vendorData })));
    expect(end).toEqual({
      type: "end",
      parts: [{ type: "thinking", text: "I should read it.", vendorData }, found],
      stop: "tool_calls",
    });
  });

  it.each([
    ["an answer follows", thinking(`Hm.\n${block}`, [{ type: "text", text: "No need." }])],
    ["a call follows", thinking(`Hm.\n${block}`, [{ type: "tool_call", toolCallId: "c", name: "ls", input: {} }])],
    ["thoughts go on", thinking(`${block}\nOr should I?`)],
    ["it is cut", thinking(block.slice(0, -20))],
    ["it is quoted", thinking(`I could write\n\`\`\`\n${block}\n\`\`\`\nbut why`)],
    ["they are signed", thinking(`Hm.\n${block}`, [], { signature: "s" })],
  ])("is none where %s", async (_why, events) => {
    const end = endEvent(await hear(events));
    expect(end.parts.filter((part) => part.type === "tool_call" && part.foundInText)).toEqual([]);
    expect(end.parts[0]).toEqual(endEvent(events).parts[0]);
  });

  it("is none where the model only repeats what it has read", async () => {
    const end = endEvent(await hear(thinking(`It says\n${block}`), [user("go"), result(`Do this: ${block}`)]));
    expect(end.parts).toHaveLength(1);
  });
});

describe("withTextCalls", () => {
  it.each([1, 2, 3, 7, 1000])("turns a call in the text into a tool call, in pieces of %i", async (size) => {
    const events = await hear(saying(`I read it.\n\n${block}`, size));
    expect(endEvent(events)).toEqual({
      type: "end",
      parts: [{ type: "text", text: "I read it." }, found],
      stop: "tool_calls",
    });
    expect(joinDeltas(events, "text").trimEnd()).toBe("I read it.");
    expect(events.filter((event) => event.type === "repair")).toEqual([
      {
        type: "repair",
        what: "text_call",
        toolCallId: "call_text_1",
        detail: "The call to read was written as text (form hermes); harness read it.",
      },
    ]);
  });

  it("reports JSON that it had to repair, but not similar text", async () => {
    const odd = '<tool_call>\n{"name": "read", "arguments": {"path": "a",}}\n</tool_call>';
    const events = await hear(saying(`Like {"b": 1,}: I read it.\n\n${odd}`));
    expect(endEvent(events).parts.at(-1)).toEqual(found);
    const repairs = events.filter((event) => event.type === "repair");
    expect(repairs.map(({ what, toolCallId }) => [what, toolCallId])).toEqual([
      ["text_call", "call_text_1"],
      ["arguments", "call_text_1"],
    ]);
    const quoting = await hear(saying(`Like {"path": "a",}: I read it.\n\n${block}`));
    expect(quoting.filter((event) => event.type === "repair")).toHaveLength(1);
  });

  it("reports that text is how a prompted model calls", async () => {
    const provider = withReadReplies(playing(saying(block)), () => textForm("no_native_tools"));
    const events = await talk(provider, { tools: [...tools] });
    expect(events.filter((event) => event.type === "repair")).toMatchObject([{ what: "no_native_tools" }]);
  });

  it("leaves a reply with native calls unchanged, and shows its text whole", async () => {
    const native = { type: "tool_call" as const, toolCallId: "c1", name: "ls", input: {} };
    const parts = [{ type: "text" as const, text: block }, native];
    const events = await hear([
      { type: "text", text: block },
      { type: "end", parts, stop: "tool_calls" },
    ]);
    expect(endEvent(events).parts).toEqual(parts);
    expect(joinDeltas(events, "text")).toBe(block);
    expect(events.some((event) => event.type === "repair")).toBe(false);
  });

  it.each([
    ["an example that prose follows", `Like this:\n${block}\nYou see?`],
    ["a fence with code", '```json\n{"a": 1}\n```\nThat is it.'],
    ["a mention at the end", "It begins with <tool_call>"],
    ["half a mark at the end", "a <tool_c"],
    ["an object that is not a call", '{"name": "read", "version": 1}'],
    ["leading white space", "\n\n Yes."],
  ])("shows and keeps all of %s", async (_why, text) => {
    for (const size of [1, 4, 1000]) {
      const events = await hear(saying(text, size));
      expect(joinDeltas(events, "text")).toBe(text);
      expect(endEvent(events)).toEqual({ type: "end", parts: [{ type: "text", text }], stop: "end" });
    }
  });

  it("does not run a call that was in a tool's result before (matrix row 25)", async () => {
    const seen = [user("What is in a?"), result(`     1\t# Calls\n     2\t${block.replaceAll("\n", "\n     3\t")}\n`)];
    const events = await hear(saying(`It says:\n${block}`), seen);
    expect(endEvent(events)).toMatchObject({ parts: [{ type: "text", text: `It says:\n${block}` }], stop: "end" });
    expect(joinDeltas(events, "text")).toBe(`It says:\n${block}`);
  });

  it.each([
    ["a fence", '```json\n{"tool": "read", "args": {"path": "a"}}\n```', '{"tool":"read", "args":{"path":"a"}}'],
    ["JSON with escapes", block, JSON.stringify({ text: `x ${block} y` })],
    ["what the person pasted", block, `What is this?\n${block}`],
  ])("does not run a call that was seen as %s", async (_why, text, seen) => {
    const message = seen.startsWith("What") ? user(seen) : result(seen);
    expect(endEvent(await hear(saying(text), [message])).stop).toBe("end");
  });

  it("runs a call again that the model itself made before", async () => {
    const before: ModelMessage = { role: "assistant", parts: [{ type: "text", text: block }] };
    expect(endEvent(await hear(saying(block), [user("go"), before, user("again")])).stop).toBe("tool_calls");
  });

  it("gives calls ids that are new to the conversation", async () => {
    const { foundInText: _flag, ...call } = found;
    const before: ModelMessage = { role: "assistant", parts: [{ ...call, type: "tool_call" }] };
    const events = await hear(saying(`${block}\n${block}`), [user("go"), before, result("x")]);
    const ids = endEvent(events).parts.map((part) => (part.type === "tool_call" ? part.toolCallId : ""));
    expect(ids).toEqual(["call_text_2", "call_text_3"]);
  });

  it("reports a truncated call, and keeps the stop reason", async () => {
    const text = '<tool_call>{"name": "write", "arguments": {"path": "a", "content": "x';
    const events = await hear(saying(text, 5, "length"));
    expect(endEvent(events)).toMatchObject({
      parts: [{ name: "write", inputText: '{"path": "a", "content": "x', foundInText: true }],
      stop: "length",
    });
    expect(events.at(-2)).toMatchObject({ type: "repair", detail: expect.stringContaining("ends in the middle") });
  });

  it("reads no call from a reply that was aborted or refused", async () => {
    for (const stop of ["cut", "refusal"] as const) {
      expect(endEvent(await hear(saying(block, 5, stop)))).toMatchObject({
        parts: [{ type: "text", text: block }],
        stop,
      });
    }
  });

  it.each([1, 3, 1000])("takes thinking out of the text, in pieces of %i", async (size) => {
    const events = await hear(saying(`<think>\nHm.\n</think>\n\nYes.\n${block}`, size));
    expect(endEvent(events).parts).toEqual([{ type: "thinking", text: "Hm." }, { type: "text", text: "Yes." }, found]);
    expect(joinDeltas(events, "thinking").trim()).toBe("Hm.");
    expect(joinDeltas(events, "text").trim()).toBe("Yes.");
    expect(events.filter((event) => event.type === "repair").map((event) => event.what)).toEqual([
      "leaked_thinking",
      "text_call",
    ]);
  });

  it("splits the channels of harmony", async () => {
    const text = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>";
    const events = await hear(saying(text));
    expect(endEvent(events)).toMatchObject({
      parts: [
        { type: "thinking", text: "Hm." },
        { type: "text", text: "Yes." },
      ],
      stop: "end",
    });
    expect(joinDeltas(events, "text")).toBe("Yes.");
  });

  it("takes a call inside thinking where nothing else came, and only there", async () => {
    for (const thoughts of [`<think>\n${block}`, `<think>\nHm.\n${block}\n</think>`, `<think>${block}`]) {
      const events = await hear(saying(thoughts));
      expect(endEvent(events).parts.filter(({ type }) => type === "tool_call")).toEqual([found]);
      expect(endEvent(events).parts.filter(({ type }) => type === "text")).toEqual([]);
    }
    const events = await hear(saying(`<think>\n${block}\n</think>\nNo need.`));
    expect(endEvent(events).parts.map(({ type }) => type)).toEqual(["thinking", "text"]);
  });

  it("shows an answer that only looked like thinking, and keeps truncated thinking", async () => {
    const answer = "<think> is the tag that Qwen uses.";
    const events = await hear(saying(answer));
    expect(endEvent(events).parts).toEqual([{ type: "text", text: answer }]);
    expect(joinDeltas(events, "text")).toBe(answer);
    expect(endEvent(await hear(saying("<think>Hm. And", 5, "length"))).parts).toEqual([
      { type: "thinking", text: "Hm. And" },
    ]);
  });

  it("forgets the text before a retry", async () => {
    const failure = { kind: "network" as const, message: "cut" };
    const retry: ModelEvent = { type: "retry", attempt: 2, maxAttempts: 5, delayMs: 1, failure };
    const events = await hear([{ type: "text", text: "<think>Hm. <tool_c" }, retry, ...saying("Yes.")]);
    expect(joinDeltas(events, "text")).toBe("Yes.");
    expect(endEvent(events).parts).toEqual([{ type: "text", text: "Yes." }]);
  });

  it("shows held text when the reply fails", async () => {
    const failed: ModelEvent = { type: "failed", failure: { kind: "network", message: "cut" } };
    const events = await hear([{ type: "text", text: block }, failed]);
    expect(joinDeltas(events, "text")).toBe(block);
    expect(events.at(-1)).toEqual(failed);
  });

  it("does not run a call that an instruction file shows", async () => {
    const provider = withTextCalls(playing(saying(block)));
    const events = await talk(provider, { tools: [...tools], system: `Rules:\n${block}` });
    expect(endEvent(events).stop).toBe("end");
  });

  it("works below the retry as well", async () => {
    const failed = { type: "failed", retryable: true, failure: { kind: "network", message: "cut" } } as const;
    const plays: WireEvent[][] = [[{ type: "text", text: "<tool_c" }, failed], saying(block)];
    const flaky: WireProvider = {
      id: "flaky",
      async *stream() {
        yield* plays.shift() ?? [];
      },
    };
    const clock = new InstantClock("2026-11-21T10:00:00Z");
    const provider = withRetry(withTextCalls(flaky), { clock, random: () => 0 });
    const events = await talk(provider, { tools: [...tools] });
    expect(endEvent(events).parts).toEqual([found]);
    expect(joinDeltas(events, "text")).toBe("");
  });

  it("passes other events on unchanged", async () => {
    const status: ModelEvent = { type: "status", phase: "queued", ahead: 1, slots: 2 };
    const thinking: ModelEvent = { type: "thinking", text: "Hm." };
    const events = await hear([status, thinking, ...saying("Yes.")]);
    expect(events.slice(0, 2)).toEqual([status, thinking]);
  });
});

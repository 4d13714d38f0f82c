import type { ModelRequest } from "@harness/core";
import { call, MemorySession, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const network = { kind: "network" as const, message: "reset" };
const queued: ScriptedEvent = { type: "status", phase: "queued", ahead: 1, slots: 2 };
const prefill: ScriptedEvent = { type: "status", phase: "prefill", doneTokens: 10, totalTokens: 40 };

async function said(...events: ScriptedEvent[]) {
  const memory = new MemorySession({ script: [events, saying("(more)")] });
  await memory.say("go");
  expect(memory.states.live).toEqual(memory.states.folded);
  expect(memory.states.client).toEqual(memory.states.folded);
  return memory;
}

/** The events while the reply arrived, in short form. */
function sent(memory: MemorySession): string[] {
  return memory.ports.events.all.flatMap((event) => {
    if ("delta" in event) {
      const { delta } = event;
      return [delta.sessionUpdate === "request_status" ? delta.phase : delta.sessionUpdate];
    }
    const kind = "stored" in event ? event.stored.update.sessionUpdate : "unstored";
    return ["retry", "agent_message", "repair"].includes(kind) ? [kind] : [];
  });
}

describe("the status of a request", () => {
  it("the status of a request is shown before the first chunk only", async () => {
    const memory = await said(queued, prefill, { type: "text", text: "H" }, prefill, ...saying("i"));
    expect(sent(memory).slice(0, 3)).toEqual(["queued", "prefill", "agent_message_chunk"]);
    expect(sent(memory).filter((each) => each === "prefill")).toHaveLength(1);
  });

  it.each<[string, ScriptedEvent]>([
    ["thoughts", { type: "thinking", text: "hm" }],
    ["arguments", { type: "tool_input", toolCallId: "a", name: "read", text: "{" }],
  ])("the status of a request is not shown after %s", async (_name, first) => {
    expect(sent(await said(first, queued, ...saying("x")))).not.toContain("queued");
  });

  it("the status of a request is shown again when the request is sent again", async () => {
    const retry: ScriptedEvent = { type: "retry", attempt: 1, maxAttempts: 5, delayMs: 10, failure: network };
    const memory = await said(queued, { type: "text", text: "half" }, retry, prefill, ...saying("whole"));
    expect(sent(memory).slice(0, 4)).toEqual(["queued", "agent_message_chunk", "retry", "prefill"]);
  });

  it("the status of a request is in the state and in a snapshot until then", async () => {
    let go: () => void = () => undefined;
    const promise = new Promise<void>((resolve) => {
      go = resolve;
    });
    const memory = new MemorySession({ script: [[queued, prefill, { type: "until", promise }, ...saying("done")]] });
    memory.prompt("go");
    await memory.ports.events.until(
      (event) => "delta" in event && event.delta.sessionUpdate === "request_status" && event.delta.phase === "prefill",
    );
    const status = {
      sessionUpdate: "request_status",
      messageId: "message-2",
      phase: "prefill",
      doneTokens: 10,
      totalTokens: 40,
    };
    expect(memory.session.state.agents.get("main")?.status).toEqual(status);
    expect(memory.session.snapshot()).toEqual([{ agentId: "main", delta: status }]);
    go();
    await memory.session.idle();
    expect(memory.session.state.agents.get("main")?.status).toBeUndefined();
    expect(memory.session.snapshot()).toEqual([]);
  });
});

describe("a repair in a reply", () => {
  const repair: ScriptedEvent = { type: "repair", what: "text_call", toolCallId: "a", detail: "found in the text" };
  const end = (...parts: ReturnType<typeof call>[]): ScriptedEvent => ({ type: "end", parts, stop: "tool_calls" });

  it("a repair in a reply is a fact after the reply and before its calls", async () => {
    const memory = await said(repair, end(call("a", "read", { file_path: "x" })));
    const kinds = memory.log.facts.map(({ update }) => update.sessionUpdate);
    expect(kinds.slice(kinds.indexOf("agent_message"), -3).slice(0, 3)).toEqual([
      "agent_message",
      "repair",
      "tool_call_update",
    ]);
    const { messageId } = memory.facts("agent_message")[0] ?? {};
    expect(memory.facts("repair")).toEqual([
      { sessionUpdate: "repair", messageId, what: "text_call", toolCallId: "a", detail: "found in the text" },
    ]);
    expect(memory.session.state.agents.get("main")?.items.map(({ kind }) => kind)).toEqual([
      "user",
      "agent",
      "repair",
      "tool",
      "agent",
      "turn",
    ]);
  });

  it("a repair in a reply names the call by its new id", async () => {
    const memory = new MemorySession({
      script: [
        [end(call("a", "read", { file_path: "x" }))],
        [repair, end(call("a", "read", { file_path: "y" }))],
        saying("done"),
      ],
    });
    await memory.say("go");
    expect(memory.facts("repair")).toMatchObject([
      { what: "text_call", toolCallId: "call-1" },
      { what: "call_id", toolCallId: "call-1", detail: "The call id `a` was used before; it became `call-1`." },
    ]);
  });

  it("a repair in a reply is void when the request is sent again", async () => {
    const retry: ScriptedEvent = { type: "retry", attempt: 1, maxAttempts: 5, delayMs: 10, failure: network };
    expect((await said(repair, retry, ...saying("fine"))).facts("repair")).toEqual([]);
  });

  it("a repair that is about the model is recorded once in a session", async () => {
    const prompted: ScriptedEvent = { type: "repair", what: "no_native_tools", detail: "asked in words" };
    const retry: ScriptedEvent = { type: "retry", attempt: 1, maxAttempts: 5, delayMs: 10, failure: network };
    expect((await said(prompted, retry, prompted, ...saying("fine"))).facts("repair")).toHaveLength(1);
  });

  it("a repair that is about the request is recorded at once, whatever becomes of the reply", async () => {
    const prompted: ScriptedEvent = { type: "repair", what: "no_native_tools", detail: "asked in words" };
    const memory = await said(prompted, { type: "failed", failure: network });
    expect(memory.facts("repair")).toMatchObject([{ what: "no_native_tools", detail: "asked in words" }]);
    expect(memory.facts("agent_message")).toEqual([]);
  });

  it("row 23, row 20, row 21: repairs include names and arguments, and a correct call has none", async () => {
    const parts = [
      call("a", "Read_File", { file_path: "x" }),
      call("b", "READ", { filePath: "x", limit: "3" }),
      { type: "tool_call" as const, toolCallId: "c", name: "read", inputText: '{"file_path":"x",}' },
      call("d", "read", { file_path: "x" }),
    ];
    const memory = await said(end(...parts));
    expect(memory.facts("repair").map(({ what, toolCallId, detail }) => [toolCallId, what, detail])).toEqual([
      ["b", "tool_name", "`READ` was taken as `read`."],
      ["b", "arguments", "Arguments: the spelling of `file_path` was corrected; the type of `limit` was converted."],
      ["c", "arguments", "Arguments: an extra comma was left out."],
    ]);
    const outcomes = memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [outcome.status] : []));
    expect(outcomes.sort()).toEqual(["error", "error", "error", "unknown_tool"]);
  });
});

describe("row 29: text that is not well-formed", () => {
  it("row 29: text that is not well-formed is made valid before it is stored or sent on", async () => {
    const memory = new MemorySession({
      script: [[{ type: "end", parts: [{ type: "text", text: "a\ud800b\0c" }], stop: "end" }], saying("done")],
    });
    await memory.say("x\0y\udc00");
    await memory.say("again");
    const sentOn = memory.provider.requests[1] as ModelRequest;
    expect(sentOn.messages).toMatchObject([
      { content: [{ text: "xy\ufffd" }] },
      { parts: [{ text: "a\ufffdbc" }] },
      { content: [{ text: "again" }] },
    ]);
    expect(memory.log.lines.join("")).not.toMatch(/\\u0000|\\ud800|\\udc00/);
  });
});

describe("the time of thinking", () => {
  it("the time of thinking is in the reply's fact, without the time of its text", async () => {
    const gates = new Map(["a", "b", "1", "c"].map((after) => [after, Promise.withResolvers<void>()]));
    const script = [..."ab1cd2"].flatMap((text): ScriptedEvent[] => {
      const gate = gates.get(text);
      const piece = { type: /\d/.test(text) ? ("text" as const) : ("thinking" as const), text };
      return gate ? [piece, { type: "until", promise: gate.promise }] : [piece];
    });
    const memory = new MemorySession({ script: [[...script, ...saying("3")]] });
    const end = memory.say("go");
    for (const [text, gate] of gates) {
      await memory.ports.events.until(
        (event) => "delta" in event && "text" in event.delta && event.delta.text === text,
      );
      memory.ports.clock.advance(1000);
      gate.resolve();
    }
    await end;
    expect(memory.facts("agent_message")).toMatchObject([{ thoughtMs: 2000 }]);
  });
});

describe("tools that the model's server refuses", () => {
  const leftOut = (...tools: string[]): ScriptedEvent => ({ type: "left_out", tools, reason: "It says: no." });

  it("tools that the model's server refuses are named once in a session", async () => {
    const script = [
      [leftOut("mcp__s__odd"), ...saying("one")],
      [leftOut("mcp__s__odd"), ...saying("two")],
      [leftOut("mcp__s__odd", "a", "b"), ...saying("three")],
    ];
    const memory = new MemorySession({ script });
    for (const _ of script) await memory.say("go");
    expect(memory.facts("notice")).toMatchObject([
      {
        severity: "warning",
        title: "The tool `mcp__s__odd` is left out: the model's server does not take the description.",
        description: "It says: no.",
      },
      { title: "The tools `a`, `b` are left out: the model's server does not take the description." },
    ]);
  });
});

import type { AgentPart, Usage } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { StreamError } from "../failures/failure.ts";
import { ReplyDraft } from "../reply/reply-draft.ts";
import { SseFraming } from "../sse/framing.ts";
import { EventReader } from "./anthropic-events.ts";

type StreamReading = { parts: AgentPart[]; stop: string; usage?: Usage; streamed: string[] };

function newDraft(): ReplyDraft {
  return new ReplyDraft({ takenIds: () => new Set(), newId: () => "made" });
}

/** The reader's result for events. */
function read(...events: Record<string, unknown>[]): StreamReading {
  const draft = newDraft();
  const reader = new EventReader(draft);
  for (const event of events) reader.read(event, undefined);
  reader.finish();
  const streamed = draft.takeDeltas().map((delta) => `${delta.type} ${"text" in delta ? delta.text : ""}`);
  const { parts, stop, usage } = draft.end();
  return { parts, stop, streamed, ...(usage && { usage }) };
}

const start = (index: number, content_block: unknown) => ({ type: "content_block_start", index, content_block });
const delta = (index: number, of: unknown) => ({ type: "content_block_delta", index, delta: of });
const stop = (index: number) => ({ type: "content_block_stop", index });
const end = (stop_reason: string, usage?: unknown) => ({ type: "message_delta", delta: { stop_reason }, usage });
const text = (index: number, words: string) => delta(index, { type: "text_delta", text: words });
const json = (index: number, partial_json: string) => delta(index, { type: "input_json_delta", partial_json });
const thinks = (index: number, thinking: string) => delta(index, { type: "thinking_delta", thinking });
const signs = (index: number, signature: string) => delta(index, { type: "signature_delta", signature });

// As the vendor's documentation shows a stream with thinking and a call.
const published = `event: message_start
data: {"type": "message_start", "message": {"id": "msg_01", "type": "message", "role": "assistant", "content": [], "model": "claude-x", "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 472, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 28, "output_tokens": 2}}}

event: content_block_start
data: {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Let me solve 🧮 this"}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk="}}

event: content_block_stop
data: {"type": "content_block_stop", "index": 0}

event: content_block_start
data: {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Größe: "}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "12 €"}}

event: content_block_stop
data: {"type": "content_block_stop", "index": 1}

event: content_block_start
data: {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "toolu_01T1x1fJ34qAmk2tNTrN7Up6", "name": "get_weather", "input": {}}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": ""}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{\\"location\\": \\"São"}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": " Paulo\\"}"}}

event: content_block_stop
data: {"type": "content_block_stop", "index": 2}

event: message_delta
data: {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": null}, "usage": {"output_tokens": 89, "output_tokens_details": {"thinking_tokens": 31}}}

event: message_stop
data: {"type": "message_stop"}

`;

describe("a published stream", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 4096])("is read the same in pieces of %i bytes", (size) => {
    for (const lineEnd of ["\n", "\r\n"]) {
      const bytes = new TextEncoder().encode(published.replaceAll("\n", lineEnd));
      const framing = new SseFraming();
      const draft = newDraft();
      const reader = new EventReader(draft);
      for (let at = 0; at < bytes.length; at += size) {
        for (const event of framing.push(bytes.subarray(at, at + size))) {
          reader.read(JSON.parse(event.lines.join("\n")), event.name);
        }
      }
      reader.finish();
      expect(draft.isClosed).toBe(true);
      expect(draft.end()).toEqual({
        type: "end",
        stop: "tool_calls",
        usage: { inputTokens: 600, cacheReadTokens: 100, cacheWriteTokens: 28, outputTokens: 89, reasoningTokens: 31 },
        parts: [
          {
            type: "thinking",
            text: "Let me solve 🧮 this",
            signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk=",
          },
          { type: "text", text: "Größe: 12 €" },
          {
            type: "tool_call",
            toolCallId: "toolu_01T1x1fJ34qAmk2tNTrN7Up6",
            name: "get_weather",
            input: { location: "São Paulo" },
          },
        ],
      });
    }
  });
});

describe("the content blocks of a reply", () => {
  it("keep their order when thinking, also encrypted, comes between calls", () => {
    const { parts } = read(
      start(0, { type: "thinking", thinking: "", signature: "" }),
      thinks(0, "first"),
      signs(0, "s1"),
      stop(0),
      start(1, { type: "tool_use", id: "a", name: "ls", input: {} }),
      json(1, '{"path":"/"}'),
      stop(1),
      start(2, { type: "redacted_thinking", data: "Emw=" }),
      stop(2),
      start(3, { type: "thinking", thinking: "", signature: "" }),
      signs(3, "s2"),
      stop(3),
      start(4, { type: "text", text: "so" }),
      stop(4),
      end("tool_use"),
    );
    expect(parts).toEqual([
      { type: "thinking", text: "first", signature: "s1" },
      { type: "tool_call", toolCallId: "a", name: "ls", input: { path: "/" } },
      { type: "thinking", text: "", vendorData: { type: "redacted_thinking", data: "Emw=" } },
      { type: "thinking", text: "", signature: "s2" },
      { type: "text", text: "so" },
    ]);
  });

  it("are built side by side when their deltas are mixed", () => {
    const { parts, stop: why } = read(
      start(0, { type: "tool_use", id: "a", name: "ls", input: {} }),
      start(1, { type: "tool_use", id: "b", name: "cat", input: {} }),
      json(1, '{"n":'),
      json(0, '{"m":1'),
      json(1, "2}"),
      json(0, "}"),
      end("end_turn"),
    );
    expect(parts).toMatchObject([
      { name: "ls", input: { m: 1 } },
      { name: "cat", input: { n: 2 } },
    ]);
    expect(why).toBe("tool_calls");
  });

  it("get an empty object for a call without arguments", () => {
    const call = (index: number) => start(index, { type: "tool_use", id: `c${index}`, name: "ls", input: {} });
    const { parts, streamed } = read(
      call(0),
      stop(0),
      call(1),
      json(1, ""),
      stop(1),
      call(2),
      json(2, "{}"),
      end("tool_use"),
    );
    expect(parts).toMatchObject([{ input: {} }, { input: {} }, { input: {} }]);
    expect(streamed.filter((each) => each.startsWith("tool_input"))).toEqual([
      "tool_input {}",
      "tool_input {}",
      "tool_input {}",
    ]);
  });

  it("are read when the arguments of a call come at once, and not duplicated when these are streamed too", () => {
    const whole = { type: "tool_use", id: "a", name: "ls", input: { path: "/" } };
    expect(read(start(0, whole), stop(0)).parts).toMatchObject([{ input: { path: "/" } }]);
    expect(read(start(0, whole), json(0, '{"path":"/"}'), stop(0)).parts).toMatchObject([{ input: { path: "/" } }]);
  });

  it("are left out with all their data when the type is unknown", () => {
    const { parts } = read(
      start(0, { type: "server_tool_use", id: "srv", name: "web_search", input: {} }),
      json(0, '{"query":"x"}'),
      stop(0),
      start(1, { type: "web_search_tool_result", content: [] }),
      stop(1),
      { type: "content_block_delta", index: 7, delta: { type: "text_delta", text: "lost" } },
      start(2, { type: "text", text: "" }),
      delta(2, { type: "citations_delta", citation: {} }),
      text(2, "ok"),
      stop(2),
      { type: "of_tomorrow", delta: { text: "?" } },
      end("end_turn"),
    );
    expect(parts).toEqual([{ type: "text", text: "ok" }]);
  });

  it("may come without numbers", () => {
    const { parts } = read(
      { type: "content_block_start", content_block: { type: "text", text: "" } },
      { type: "content_block_delta", delta: { type: "text_delta", text: "a" } },
      { type: "content_block_stop" },
      { type: "content_block_start", content_block: { type: "tool_use", id: "x", name: "ls", input: {} } },
      { type: "content_block_delta", delta: { type: "input_json_delta", partial_json: "{}" } },
    );
    expect(parts).toMatchObject([{ text: "a" }, { name: "ls", input: {} }]);
  });

  it("are readable when half of them are odd", () => {
    const odd = [null, 1, "x", [], {}, { type: "content_block_start" }, { type: "message_delta", delta: null }];
    const draft = newDraft();
    const reader = new EventReader(draft);
    for (const event of odd) reader.read(event, undefined);
    expect(draft.end().parts).toEqual([]);
  });

  it("keep arguments as text when they were truncated", () => {
    const { parts, stop: why } = read(
      start(0, { type: "tool_use", id: "a", name: "write", input: {} }),
      json(0, '{"path": "/t'),
      end("max_tokens"),
    );
    expect(parts).toEqual([{ type: "tool_call", toolCallId: "a", name: "write", inputText: '{"path": "/t' }]);
    expect(why).toBe("length");
  });

  it("are built in linear time from single characters", () => {
    const draft = newDraft();
    const reader = new EventReader(draft);
    reader.read(start(0, { type: "tool_use", id: "a", name: "write", input: {} }), undefined);
    const argument = JSON.stringify({ text: "x".repeat(200_000) });
    let streamed = 0;
    for (const character of argument) {
      reader.read(json(0, character), undefined);
      for (const each of draft.takeDeltas()) streamed += "text" in each ? each.text.length : 0;
    }
    expect(streamed).toBe(argument.length);
    expect(draft.end().parts).toEqual([
      { type: "tool_call", toolCallId: "a", name: "write", input: { text: "x".repeat(200_000) } },
    ]);
  });
});

describe("the end of a reply", () => {
  it.each([
    ["end_turn", "end"],
    ["stop_sequence", "end"],
    ["pause_turn", "end"],
    ["of_tomorrow", "end"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "refusal"],
  ])("%s is %s", (reason, expected) => {
    expect(read(start(0, { type: "text", text: "a" }), end(reason)).stop).toBe(expected);
  });

  it("adds up the prompt from its three parts, whichever event has them", () => {
    const early = { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: null, output_tokens: 1 };
    const opening = { type: "message_start", message: { usage: early } };
    expect(read(opening, end("end_turn", { output_tokens: 5 })).usage).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cacheReadTokens: 0,
    });
    const late = { input_tokens: 30, cache_read_input_tokens: 7, output_tokens: 5 };
    expect(read(opening, end("end_turn", late)).usage).toMatchObject({ inputTokens: 37, cacheReadTokens: 7 });
    expect(read(opening, end("end_turn", { input_tokens: 0, output_tokens: 5 })).usage).toMatchObject({
      inputTokens: 10,
    });
    expect(read(end("end_turn")).usage).toBeUndefined();
  });

  it("is part of one document from a server that does not stream", () => {
    const {
      parts,
      stop: why,
      usage,
    } = read({
      type: "message",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "text", text: "so" },
        { type: "tool_use", id: "a", name: "ls", input: { path: "/" } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 3, output_tokens: 4 },
    });
    expect(parts).toEqual([
      { type: "thinking", text: "hm", signature: "s" },
      { type: "text", text: "so" },
      { type: "tool_call", toolCallId: "a", name: "ls", input: { path: "/" } },
    ]);
    expect(why).toBe("tool_calls");
    expect(usage).toEqual({ inputTokens: 3, outputTokens: 4 });
  });

  it("is an error when the server reports one", () => {
    const error = { type: "overloaded_error", message: "Overloaded" };
    expect(() => read({ type: "error", error })).toThrow(StreamError);
    expect(() => new EventReader(newDraft()).read({ message: "Overloaded" }, "error")).toThrow("Overloaded");
  });
});

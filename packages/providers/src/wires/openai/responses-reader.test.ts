import type { AgentPart, Usage } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { asList, asRecord } from "../../json/lenient-json.ts";
import { StreamError } from "../failures/failure.ts";
import { ReplyDraft } from "../reply/reply-draft.ts";
import { DocumentFraming, type Framing, SseFraming } from "../sse/framing.ts";
import { ResponsesReader } from "./responses-reader.ts";

type StreamReading = { parts: AgentPart[]; stop: string; streamed: string; usage?: Usage };

/** The reader's result for some events. */
function read(...events: unknown[]): StreamReading {
  return readBytes(new SseFraming(), events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""), 1 << 20);
}

function readBytes(framing: Framing, text: string, size: number): StreamReading {
  const draft = new ReplyDraft({ takenIds: () => new Set(), newId: () => "made" });
  const reader = new ResponsesReader(draft);
  const bytes = new TextEncoder().encode(text);
  let streamed = "";
  const take = (lines: readonly { lines: string[]; name?: string }[]) => {
    for (const event of lines) {
      const line = event.lines.join("\n");
      if (line !== "[DONE]") reader.read(JSON.parse(line), event.name);
    }
    for (const delta of draft.takeDeltas()) if ("text" in delta) streamed += `<${delta.type}>${delta.text}`;
  };
  for (let at = 0; at < bytes.length; at += size) take(framing.push(bytes.subarray(at, at + size)));
  take(framing.end());
  if (draft.isComplete) reader.finish();
  const { parts, stop, usage } = draft.end();
  return { parts, stop, streamed, ...(usage && { usage }) };
}

const completed = (fields: Record<string, unknown> = {}) => ({
  type: "response.completed",
  response: { object: "response", status: "completed", error: null, incomplete_details: null, output: [], ...fields },
});
const added = (index: number, item: unknown) => ({ type: "response.output_item.added", output_index: index, item });
const done = (index: number, item: unknown) => ({ type: "response.output_item.done", output_index: index, item });
const textDelta = (index: number, delta: string) => ({
  type: "response.output_text.delta",
  output_index: index,
  content_index: 0,
  delta,
});
const message = (text: string, fields: Record<string, unknown> = {}) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
  ...fields,
});
const call = (id: string, args: string) => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: id,
  name: "ls",
  arguments: args,
});
/** A call without an id of its item. */
const own = (id: string, args: string) => ({ type: "function_call", call_id: id, name: "ls", arguments: args });
const bare = (type: string, fields: Record<string, unknown>) => ({ type: `response.${type}`, ...fields });
const reasoning = (fields: Record<string, unknown> = {}) => ({ type: "reasoning", id: "rs_1", summary: [], ...fields });

/** A whole stream, as the API reference shows its events. */
const story = [
  { type: "response.created", sequence_number: 0, response: { status: "in_progress", output: [] } },
  { type: "response.in_progress", sequence_number: 1, response: { status: "in_progress", output: [] } },
  added(0, reasoning({ encrypted_content: "half" })),
  { type: "response.reasoning_summary_part.added", output_index: 0, summary_index: 0, part: { text: "" } },
  { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: "First 🤔" },
  { type: "response.reasoning_summary_text.done", output_index: 0, summary_index: 0, text: "First 🤔" },
  { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 1, delta: "then." },
  done(
    0,
    reasoning({
      summary: [
        { type: "summary_text", text: "First 🤔" },
        { type: "summary_text", text: "then." },
      ],
      encrypted_content: "gAAA",
      status: "completed",
    }),
  ),
  added(1, message("", { content: [], phase: "commentary" })),
  { type: "response.content_part.added", output_index: 1, content_index: 0, part: { type: "output_text", text: "" } },
  textDelta(1, "I look "),
  { type: "response.output_text.annotation.added", output_index: 1, annotation: {} },
  textDelta(1, "around."),
  { type: "response.output_text.done", output_index: 1, content_index: 0, text: "I look around." },
  done(1, message("I look around.", { phase: "commentary" })),
  added(2, call("call_a", "")),
  added(3, call("call_b", "")),
  { type: "response.function_call_arguments.delta", output_index: 2, delta: '{"path"' },
  { type: "response.function_call_arguments.delta", output_index: 3, delta: "{}" },
  { type: "response.function_call_arguments.delta", output_index: 2, delta: ':"é"}' },
  { type: "response.function_call_arguments.done", output_index: 2, arguments: '{"path":"é"}' },
  done(2, call("call_a", '{"path":"é"}')),
  done(3, call("call_b", "{}")),
  { type: "response.brand_new.event", output_index: 9, delta: "ignored" },
  completed({
    usage: {
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 100, cache_write_tokens: 5 },
      output_tokens: 45,
      output_tokens_details: { reasoning_tokens: 30 },
      total_tokens: 165,
    },
  }),
];
const streamed = {
  stop: "tool_calls",
  parts: [
    {
      type: "thinking",
      text: "First 🤔\n\nthen.",
      vendorData: {
        reasoning: {
          id: "rs_1",
          summary: [
            { type: "summary_text", text: "First 🤔" },
            { type: "summary_text", text: "then." },
          ],
          encrypted_content: "gAAA",
        },
      },
    },
    { type: "thinking", text: "", vendorData: { phase: "commentary" } },
    { type: "text", text: "I look around." },
    { type: "tool_call", toolCallId: "call_a", name: "ls", input: { path: "é" } },
    { type: "tool_call", toolCallId: "call_b", name: "ls", input: {} },
  ],
  usage: { inputTokens: 120, outputTokens: 45, cacheReadTokens: 100, cacheWriteTokens: 5, reasoningTokens: 30 },
};

describe("a stream of responses", () => {
  it.each([1, 2, 3, 5, 7, 1 << 20])("is read in pieces of %i bytes", (size) => {
    const bytes = story.map((event) => `event: ${event.type}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join("");
    expect(readBytes(new SseFraming(), `: ping\n\n${bytes}`, size)).toMatchObject(streamed);
  });

  it("may consist of whole items", () => {
    expect(read(...story.filter(({ type }) => /item\.done|completed/.test(type)))).toMatchObject(streamed);
  });

  it("may name its events only beside them", () => {
    const unnamed = story.map(({ type, ...event }) => `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    expect(readBytes(new SseFraming(), unnamed, 1 << 20)).toMatchObject(streamed);
  });

  it("may be one document", () => {
    const output = story
      .filter(({ type }) => type === "response.output_item.done")
      .map((event) => asRecord(event).item);
    const { response } = asRecord(story.at(-1)) as { response: Record<string, unknown> };
    const document = JSON.stringify({ ...response, output }, null, 2);
    expect(readBytes(new DocumentFraming(), document, 100)).toMatchObject(streamed);
    expect(read(completed({ ...response, output }))).toMatchObject(streamed);
  });

  it("needs no places, stable ids, or start of each item", () => {
    const { parts } = read(
      bare("reasoning_text.delta", { item_id: "rs", delta: "hm" }),
      bare("output_text.delta", { item_id: "msg", delta: "so" }),
      bare("output_item.added", { item: call("call_a", "") }),
      bare("function_call_arguments.delta", { item_id: "fc_call_a", delta: "{}" }),
      completed(),
    );
    expect(parts).toMatchObject([{ text: "hm" }, { text: "so" }, { toolCallId: "call_a", input: {} }]);
    const moving = read(
      added(0, { ...call("call_a", ""), id: "x1" }),
      { type: "response.function_call_arguments.delta", output_index: 0, item_id: "x2", delta: "{" },
      { type: "response.function_call_arguments.delta", output_index: 0, item_id: "x3", delta: "}" },
      completed(),
    );
    expect(moving.parts).toMatchObject([{ toolCallId: "call_a", input: {} }]);
  });

  it.each<[string, unknown[]]>([
    [
      "only call_id, sent once as a whole",
      [
        bare("output_item.done", { item: own("a", '{"a":1}') }),
        bare("output_item.done", { item: own("b", '{"b":2}') }),
      ],
    ],
    [
      "only call_id, begun and sent as a whole",
      [
        bare("output_item.added", { item: own("a", "") }),
        bare("output_item.done", { item: own("a", '{"a":1}') }),
        bare("output_item.added", { item: own("b", "") }),
        bare("output_item.done", { item: own("b", '{"b":2}') }),
      ],
    ],
    [
      "only call_id, two at a time, and pieces with another id",
      [
        bare("output_item.added", { item: own("a", "") }),
        bare("function_call_arguments.delta", { item_id: "fc_1", delta: '{"a"' }),
        bare("output_item.added", { item: own("b", "") }),
        bare("function_call_arguments.delta", { item_id: "fc_2", delta: '{"b"' }),
        bare("function_call_arguments.delta", { item_id: "fc_1", delta: ":1}" }),
        bare("function_call_arguments.delta", { item_id: "fc_2", delta: ":2}" }),
        bare("output_item.done", { item: own("a", '{"a":1}') }),
        bare("output_item.done", { item: own("b", '{"b":2}') }),
      ],
    ],
    [
      "only call_id, both before the pieces of any",
      [
        bare("output_item.added", { item: own("a", "") }),
        bare("output_item.added", { item: own("b", "") }),
        bare("function_call_arguments.delta", { item_id: "fc_1", delta: '{"a":1}' }),
        bare("function_call_arguments.delta", { item_id: "fc_2", delta: '{"b":2}' }),
        bare("output_item.done", { item: own("b", '{"b":2}') }),
        bare("output_item.done", { item: own("a", '{"a":1}') }),
      ],
    ],
    [
      "nothing at all in the pieces",
      [
        bare("output_item.added", { item: own("a", "") }),
        bare("function_call_arguments.delta", { delta: '{"a":1}' }),
        bare("output_item.done", { item: own("a", '{"a":1}') }),
        bare("function_call_arguments.done", { arguments: '{"a":1}' }),
        bare("output_item.added", { item: own("b", "") }),
        bare("function_call_arguments.done", { arguments: '{"b":2}' }),
        bare("output_item.done", { item: own("b", '{"b":2}') }),
      ],
    ],
    ["one place for all", [done(0, own("a", '{"a":1}')), done(0, own("b", '{"b":2}'))]],
  ])("is read with calls that are named by %s", (_name, events) => {
    expect(read(...events, completed()).parts).toEqual([
      { type: "tool_call", toolCallId: "a", name: "ls", input: { a: 1 } },
      { type: "tool_call", toolCallId: "b", name: "ls", input: { b: 2 } },
    ]);
  });

  it.each([0, undefined])("has one call for a beginning and an end with different ids, place %s", (index) => {
    const place = { ...(index !== undefined && { output_index: index }) };
    const begun = (id: string) => bare("output_item.added", { ...place, item: { ...own("", ""), id } });
    const ended = (id: string, args: string) => bare("output_item.done", { ...place, item: own(id, args) });
    const piece = bare("function_call_arguments.delta", { ...place, delta: '{"a":1}' });
    const one = { type: "tool_call", toolCallId: "fc_1", name: "ls", input: { a: 1 } };
    expect(read(begun("fc_1"), ended("a", '{"a":1}'), completed()).parts).toEqual([one]);
    expect(read(begun("fc_1"), piece, ended("a", '{"a":1}'), completed()).parts).toEqual([one]);
    expect(
      read(begun("fc_1"), begun("fc_2"), ended("a", '{"a":1}'), ended("b", '{"b":2}'), completed()).parts,
    ).toHaveLength(2);
  });

  it("may give every item the same place", () => {
    const { parts } = read(
      added(0, message("")),
      textDelta(0, "so"),
      added(0, call("call_a", "")),
      { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"a":1}' },
      done(0, call("call_a", '{"a":1}')),
      added(0, call("call_b", "")),
      { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"b":1}' },
      completed(),
    );
    expect(parts).toMatchObject([{ text: "so" }, { input: { a: 1 } }, { toolCallId: "call_b", input: { b: 1 } }]);
  });

  it("keeps the order of thinking, text and calls", () => {
    const { parts } = read(
      done(0, reasoning({ encrypted_content: "one" })),
      done(1, call("call_a", "{}")),
      done(2, reasoning({ encrypted_content: "two", summary: [{ type: "summary_text", text: "again" }] })),
      done(3, message("bye")),
      completed(),
    );
    expect(parts.map((part) => ("text" in part ? part.text : part.type))).toEqual(["", "tool_call", "again", "bye"]);
  });

  it("keeps no thinking to send back that the server does not store", () => {
    expect(read(done(0, reasoning({ encrypted_content: null })), done(1, message("x")), completed()).parts).toEqual([
      { type: "text", text: "x" },
    ]);
    const open = reasoning({ content: [{ type: "reasoning_text", text: "hm" }] });
    expect(read(done(0, open), done(1, message("x")), completed()).parts[0]).toMatchObject({
      text: "hm",
      vendorData: { reasoning: { content: [{ type: "reasoning_text", text: "hm" }] } },
    });
  });

  it.each([null, 5, "x", [], {}, { type: "response.output_item.added" }, { type: "response.output_text.delta" }])(
    "is read despite %j",
    (event) => {
      expect(read(event, done(7, message("x")), completed()).parts).toEqual([{ type: "text", text: "x" }]);
    },
  );
});

describe("the end of a response", () => {
  const incomplete = (reason?: string) => ({
    type: "response.incomplete",
    response: { status: "incomplete", incomplete_details: reason ? { reason } : null, output: [] },
  });

  it.each([
    [completed(), "end"],
    [incomplete("max_output_tokens"), "length"],
    [incomplete("content_filter"), "refusal"],
    [incomplete(), "length"],
  ])("%j is %s", (event, stop) => {
    expect(read(textDelta(0, "half"), event).stop).toBe(stop);
  });

  it("is a refusal when the model refused, streamed or not", () => {
    const refusal = { type: "refusal", refusal: "No." };
    expect(
      read({ type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "No." }, completed()),
    ).toMatchObject({ stop: "refusal", parts: [{ text: "No." }] });
    expect(read(done(0, message("", { content: [refusal] })), completed())).toMatchObject({
      stop: "refusal",
      parts: [{ text: "No." }],
    });
  });

  it("never completes half of the arguments", () => {
    const half = { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"path":"a' };
    expect(read(added(0, call("call_a", "")), half, incomplete("max_output_tokens"))).toMatchObject({
      stop: "length",
      parts: [{ inputText: '{"path":"a' }],
    });
  });

  it.each<[unknown, number | undefined, string]>([
    [{ type: "error", code: "server_error", message: "sorry", param: null }, undefined, "sorry"],
    [{ type: "error", error: { type: "x", code: "rate_limit_exceeded", message: "slow" } }, 429, "slow"],
    [{ error: { message: "nested" } }, undefined, "nested"],
    [
      { type: "response.failed", response: { status: "failed", error: { code: "invalid_image", message: "bad" } } },
      400,
      "bad",
    ],
    [{ type: "response.failed", response: { status: "failed", error: null } }, undefined, "the response failed"],
    [completed({ status: "cancelled" }), undefined, "the response failed"],
  ])("is a failure with %j", (event, status, words) => {
    let thrown: unknown;
    try {
      read(textDelta(0, "x"), event);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(StreamError);
    if (thrown instanceof StreamError) {
      expect(thrown.error.message).toBe(words);
      expect(thrown.error.status).toBe(status);
    }
  });

  it("omits invalid counts", () => {
    const usage = { input_tokens: -1, output_tokens: 3, input_tokens_details: null, output_tokens_details: [] };
    expect(read(textDelta(0, "x"), completed({ usage })).usage).toEqual({ outputTokens: 3 });
    expect(asList(read(textDelta(0, "x"), completed({ usage: null })).parts)).toHaveLength(1);
  });
});

it("takes arguments that are an object in place of its text", () => {
  const item = { ...call("a", ""), arguments: { path: "é" } };
  const { parts } = read(added(0, { ...item, arguments: "" }), done(0, item), completed({ output: [item] }));
  expect(parts).toMatchObject([{ type: "tool_call", name: "ls", input: { path: "é" } }]);
});

import type { AgentPart } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { StreamError } from "../failures/failure.ts";
import { ReplyDraft } from "../reply/reply-draft.ts";
import { openAiChat } from "./openai-chat.ts";

/** The reader's result for some chunks. */
function read(...chunks: unknown[]): { parts: AgentPart[]; stop: string; usage?: unknown } {
  const draft = new ReplyDraft({ takenIds: () => new Set(), newId: () => "made" });
  const reader = openAiChat.reader(draft);
  for (const chunk of chunks) reader.read(chunk, undefined);
  reader.finish();
  const { parts, stop, usage } = draft.end();
  return { parts, stop, ...(usage && { usage }) };
}

const delta = (fields: unknown, finish?: string) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish ?? null }],
});

describe("the thinking in chat chunks", () => {
  it("merges reasoning details by their index", () => {
    const { parts } = read(
      delta({ reasoning: "a", reasoning_details: [{ type: "reasoning.text", text: "a", index: 0 }] }),
      delta({ reasoning: "b", reasoning_details: [{ type: "reasoning.text", text: "b", index: 0, signature: null }] }),
      delta({ reasoning_details: [{ type: "reasoning.text", index: 0, signature: "sig" }] }),
      delta({ reasoning_details: [{ type: "reasoning.encrypted", data: "xx", index: 1 }, "junk"] }),
      delta({ reasoning_details: [{ data: "yy", index: 1 }] }),
      delta({ content: "done" }, "stop"),
    );
    expect(parts[0]).toEqual({
      type: "thinking",
      text: "ab",
      vendorData: {
        field: "reasoning_details",
        details: [
          { type: "reasoning.text", text: "ab", index: 0, signature: "sig" },
          { type: "reasoning.encrypted", data: "xxyy", index: 1 },
        ],
      },
    });
  });

  it("is kept when all of it is encrypted", () => {
    const { parts } = read(delta({ reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] }, "stop"));
    expect(parts).toMatchObject([{ type: "thinking", text: "" }]);
  });

  it("keeps signatures of calls", () => {
    const extra = { google: { thought_signature: "sig" } };
    const call = { index: 0, id: "a", function: { name: "ls", arguments: "{}" }, extra_content: extra };
    expect(read(delta({ tool_calls: [call] }, "tool_calls")).parts).toMatchObject([
      { vendorData: { extra_content: extra } },
    ]);
  });
});

describe("the reader of chat chunks", () => {
  it("reads the first choice alone where a server sends several, in whichever order", () => {
    const choice = (index: number, content: string, finish: string | null = null) => ({
      index,
      delta: { content },
      finish_reason: finish,
    });
    const answer = read(
      { choices: [choice(1, "a")] },
      { choices: [choice(1, "."), choice(0, "A")] },
      { choices: [choice(0, " B", "stop")] },
      { choices: [choice(1, " b.", "length")] },
    );
    expect(answer).toMatchObject({ parts: [{ type: "text", text: "A B" }], stop: "end" });
  });

  it.each([
    ["stop", "end"],
    ["length", "length"],
    ["content_filter", "refusal"],
    ["tool_calls", "end"],
    ["eos", "end"],
    ["SAFETY", "refusal"],
  ])("maps finish reason %s to %s", (reason, stop) => {
    expect(read(delta({ content: "x" }, reason)).stop).toBe(stop);
  });

  it("accepts refusals, lists of parts and the old form of calls", () => {
    expect(read(delta({ refusal: "No." }, "stop"))).toEqual({
      parts: [{ type: "text", text: "No." }],
      stop: "refusal",
    });
    const thinking = { type: "thinking", thinking: [{ type: "text", text: "hm" }] };
    expect(read(delta({ content: [thinking, { type: "text", text: "so" }] }, "stop")).parts).toEqual([
      { type: "thinking", text: "hm", vendorData: { field: "content" } },
      { type: "text", text: "so" },
    ]);
    const old = [
      delta({ function_call: { name: "ls", arguments: "" } }),
      delta({ function_call: { arguments: "{}" } }, "function_call"),
    ];
    expect(read(...old)).toMatchObject({ stop: "tool_calls", parts: [{ name: "ls", input: {} }] });
  });

  it.each([
    null,
    5,
    "x",
    [],
    {},
    { choices: null },
    { choices: [] },
    { choices: [null] },
    { choices: [{ delta: null }] },
  ])("is not disturbed by %j", (chunk) => {
    expect(read(chunk, delta({ content: "x" }, "stop")).parts).toEqual([{ type: "text", text: "x" }]);
  });

  it.each([
    { tool_calls: [null] },
    { tool_calls: [{ index: -1, id: 5, function: { name: {}, arguments: 7 } }] },
    { tool_calls: "x", content: 5, reasoning: {} },
  ])("ignores %j", (fields) => {
    expect(read(delta(fields), delta({ content: "x" }, "stop")).parts).toEqual([{ type: "text", text: "x" }]);
  });

  it("takes the last count, from any chunk", () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: Number.NaN,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      completion_tokens_details: null,
    };
    expect(
      read({ usage: { prompt_tokens: 1 } }, delta({ content: "x" }, "stop"), { choices: [], usage }).usage,
    ).toEqual({
      inputTokens: 10,
      cacheReadTokens: 4,
      cacheWriteTokens: 2,
    });
  });
});

describe("the reader of chat dialects", () => {
  const google = (fields: unknown) => ({ extra_content: { google: fields } });

  it.each<[string, unknown[]]>([
    [
      "in pieces",
      [
        delta({ content: "<thought>hm, ", ...google({ thought: true }) }),
        delta({ content: "well", ...google({ thought: true }) }),
        delta({ content: "</thought>so" }),
        delta({ content: " be it" }, "stop"),
      ],
    ],
    [
      "whole",
      [{ choices: [{ message: { content: "<thought>hm, well</thought>so be it", ...google({ thought: true }) } }] }],
    ],
    [
      "without tags",
      [delta({ content: "hm, well", ...google({ thought: true }) }), delta({ content: "so be it" }, "stop")],
    ],
  ])("reads Google's thinking, %s", (_name, chunks) => {
    expect(read(...chunks).parts).toEqual([
      { type: "thinking", text: "hm, well" },
      { type: "text", text: "so be it" },
    ]);
  });

  it("keeps tags that a model writes", () => {
    expect(read(delta({ content: "<thought>x</thought>" }, "stop")).parts).toEqual([
      { type: "text", text: "<thought>x</thought>" },
    ]);
  });

  it("keeps Google's signature of text, wherever it comes", () => {
    const { parts } = read(
      delta({ content: "so" }),
      delta({ content: "", ...google({ thought_signature: "sig" }) }, "stop"),
    );
    expect(parts[0]).toEqual({
      type: "thinking",
      text: "",
      vendorData: { field: "extra_content", extra: { google: { thought_signature: "sig" } } },
    });
  });

  it.each([
    ["content_filter: PROHIBITED_CONTENT", "refusal"],
    ["sensitive", "refusal"],
    ["model_context_window_exceeded", "length"],
    ["model_length", "length"],
  ])("maps finish reason %s to %s", (reason, stop) => {
    expect(read(delta({ content: "x" }, reason)).stop).toBe(stop);
  });

  it.each(["function_call_filter: MALFORMED_FUNCTION_CALL", "insufficient_system_resource", "network_error", "error"])(
    "reports finish reason %s as a failure",
    (reason) => {
      expect(() => read(delta({ content: "x" }, reason))).toThrow(StreamError);
    },
  );

  it.each([
    [[{ error: { code: 500, message: "no", status: "INTERNAL" } }]],
    [{ x_groq: { error: "no" } }],
    [{ error: { message: "no" } }],
  ])("reports %j as a failure", (chunk) => {
    expect(() => read(chunk)).toThrow("no");
  });

  it.each<[string, unknown, unknown]>([
    [
      "thinking left out of the completion (xAI, Google)",
      { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 22 } },
      { inputTokens: 10, outputTokens: 12 },
    ],
    [
      "DeepSeek",
      { usage: { prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 } },
      { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4 },
    ],
    ["Groq", { x_groq: { usage: { prompt_tokens: 10 } } }, { inputTokens: 10 }],
    [
      "llama.cpp",
      { timings: { cache_n: 7, prompt_n: 3, predicted_n: 5 } },
      { inputTokens: 10, outputTokens: 5, cacheReadTokens: 7 },
    ],
    [
      "llama.cpp with both",
      { timings: { cache_n: 7, prompt_n: 3, predicted_n: 5 }, usage: { prompt_tokens: 11 } },
      { inputTokens: 11, outputTokens: 5, cacheReadTokens: 7 },
    ],
  ])("reads counts of %s", (_name, chunk, usage) => {
    expect(read(delta({ content: "x" }, "stop"), chunk).usage).toEqual(usage);
  });

  it("reads llama.cpp's counts in any order, the newest of each", () => {
    const timings = (cached: number) => ({ timings: { cache_n: cached, prompt_n: 3, predicted_n: 5 } });
    const usage = { usage: { prompt_tokens: 11, completion_tokens: 6 } };
    const counts = { inputTokens: 11, outputTokens: 6, cacheReadTokens: 7 };
    expect(read(delta({ content: "x" }, "stop"), timings(7), usage).usage).toEqual(counts);
    expect(read(delta({ content: "x" }, "stop"), usage, timings(2), timings(7)).usage).toEqual(counts);
  });

  it("reports the newest progress of the prompt, until the reply begins", () => {
    const draft = new ReplyDraft({ takenIds: () => new Set(), newId: () => "made" });
    const reader = openAiChat.reader(draft);
    const progress = (processed: unknown) => ({ prompt_progress: { total: 100, cache: 0, processed, time_ms: 1 } });
    for (const processed of [10, 20, null]) reader.read(progress(processed), undefined);
    expect(draft.takeDeltas()).toEqual([{ type: "status", phase: "prefill", doneTokens: 20, totalTokens: 100 }]);
    reader.read(delta({ content: "x" }), undefined);
    reader.read(progress(100), undefined);
    expect(draft.takeDeltas()).toEqual([{ type: "text", text: "x" }]);
  });

  it("reads arguments that come one character at a time", () => {
    const text = JSON.stringify({ content: "x".repeat(200_000) });
    const call = (fields: unknown) => delta({ tool_calls: [{ index: 0, ...(fields as object) }] });
    const draft = new ReplyDraft({ takenIds: () => new Set(), newId: () => "made" });
    const reader = openAiChat.reader(draft);
    reader.read(call({ id: "a", function: { name: "write", arguments: "" } }), undefined);
    for (const character of text) reader.read(call({ function: { arguments: character } }), undefined);
    const [part] = draft.end().parts;
    expect(part).toMatchObject({ name: "write", input: { content: expect.stringMatching(/^x{9}/) } });
  });
});

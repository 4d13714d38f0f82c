import type { StreamFrame } from "../../story/frame.ts";
import { REPLY_TIME, type ReplyUsage, type ScriptedReply } from "../../story/reply.ts";
import { generatedFrames, pieceFrames } from "../../story/text-frames.ts";
import {
  callItem,
  type Item,
  type ItemOptions,
  messageItem,
  outputOf,
  outputText,
  reasoningItem,
  saysSomething,
} from "./response-items.ts";

type Json = Record<string, unknown>;

/** Writes one response: as numbered events, or whole. */
export class ResponseStory {
  readonly #request: Json;
  readonly #options: ItemOptions;
  #sequence = 0;
  #envelope: Json = {};

  constructor(options: ItemOptions & { request: Json }) {
    this.#request = options.request;
    this.#options = options;
  }

  *frames(reply: ScriptedReply): Generator<StreamFrame> {
    this.#begin(reply);
    yield this.#event({ type: "response.created", response: this.#response("in_progress") });
    yield this.#event({ type: "response.in_progress", response: this.#response("in_progress") });
    if (reply.oddities.unknownEvents) yield this.#event({ type: "response.telemetry.tick", tick: 1 });
    let place = 0;
    if (reply.thinking !== "") {
      yield* this.#reasoning(reply, place);
      place += 1;
    }
    if (saysSomething(reply)) {
      yield* this.#message(reply, place);
      place += 1;
    }
    for (const [index, call] of reply.calls.entries()) {
      const item = callItem(reply, call, index, false);
      const at = { item_id: item.id, output_index: place };
      yield this.#event({ type: "response.output_item.added", output_index: place, item });
      const type = "response.function_call_arguments.delta";
      yield* named(
        type,
        pieceFrames(call.argumentsText, reply, (delta) => this.#json({ type, ...at, delta })),
      );
      const done = { type: "response.function_call_arguments.done", ...at, name: call.name };
      yield this.#event({ ...done, arguments: call.argumentsText });
      yield this.#done(callItem(reply, call, index, true), place);
      place += 1;
    }
    const response = this.#finished(reply);
    yield { ...this.#event({ type: `response.${response.status}`, response }), part: "closing" };
  }

  /** The answer to a request without `stream`. */
  body(reply: ScriptedReply): string {
    this.#begin(reply);
    return JSON.stringify(this.#finished(reply));
  }

  /** `error`, or the failed response; the numbers continue either way. */
  errorFrame(message: string, code: string | number, failed: boolean): StreamFrame {
    const error = { code: String(code), message };
    if (!failed) return this.#event({ type: "error", ...error, param: null });
    return this.#event({ type: "response.failed", response: { ...this.#response("failed"), error } });
  }

  #begin(reply: ScriptedReply): void {
    const { tools = [], tool_choice = "auto", instructions = null, store = true, ...rest } = this.#request;
    this.#envelope = {
      id: `resp_${reply.number}`,
      object: "response",
      created_at: Math.floor(REPLY_TIME.getTime() / 1000),
      model: reply.model,
      instructions,
      tools,
      tool_choice,
      store,
      parallel_tool_calls: rest.parallel_tool_calls ?? true,
      max_output_tokens: rest.max_output_tokens ?? null,
      reasoning: rest.reasoning ?? { effort: null, summary: null },
      previous_response_id: null,
      temperature: rest.temperature ?? 1,
      top_p: rest.top_p ?? 1,
      truncation: "disabled",
      metadata: {},
    };
  }

  *#reasoning(reply: ScriptedReply, place: number): Generator<StreamFrame> {
    const whole = reasoningItem(reply, this.#options);
    const at = { item_id: whole.id, output_index: place };
    const text = reply.thinking;
    yield this.#event({
      type: "response.output_item.added",
      output_index: place,
      item: { ...whole, summary: [], content: [] },
    });
    if (reply.oddities.reasoningText) {
      const type = "response.reasoning_text.delta";
      const inPart = { ...at, content_index: 0 };
      yield* named(
        type,
        pieceFrames(text, reply, (delta) => this.#json({ type, ...inPart, delta })),
      );
      yield this.#event({ type: "response.reasoning_text.done", ...inPart, text });
    } else {
      const type = "response.reasoning_summary_text.delta";
      const inPart = { ...at, summary_index: 0 };
      const part = { type: "summary_text", text: "" };
      yield this.#event({ type: "response.reasoning_summary_part.added", ...inPart, part });
      yield* named(
        type,
        pieceFrames(text, reply, (delta) => this.#json({ type, ...inPart, delta })),
      );
      yield this.#event({ type: "response.reasoning_summary_text.done", ...inPart, text });
      yield this.#event({ type: "response.reasoning_summary_part.done", ...inPart, part: { ...part, text } });
    }
    yield this.#done(whole, place);
  }

  *#message(reply: ScriptedReply, place: number): Generator<StreamFrame> {
    const { stop } = reply;
    const whole = messageItem(reply, stop === "length" || stop === "contentFilter" ? "incomplete" : "completed");
    const begun = messageItem(reply, "in_progress");
    yield this.#event({ type: "response.output_item.added", output_index: place, item: begun });
    const parts = whole.content as readonly { type: string; text?: string; refusal?: string }[];
    for (const [index, part] of parts.entries()) {
      const at = { item_id: whole.id, output_index: place, content_index: index };
      const empty = part.type === "refusal" ? { type: "refusal", refusal: "" } : outputText("");
      yield this.#event({ type: "response.content_part.added", ...at, part: empty });
      if (part.type === "refusal") yield* this.#refusal(reply, at);
      else yield* this.#text(reply, at, part.text ?? "");
      yield this.#event({ type: "response.content_part.done", ...at, part });
    }
    yield this.#done(whole, place);
  }

  *#text(reply: ScriptedReply, at: Json, whole: string): Generator<StreamFrame> {
    const type = "response.output_text.delta";
    const write = (delta: string) => this.#json({ type, ...at, delta, logprobs: [] });
    yield* named(type, pieceFrames(reply.text, reply, write));
    // Each bulk frame has a number of its own, so none can be sent twice.
    const numbered = (frame: StreamFrame): StreamFrame => ({ ...frame, data: write(frame.data) });
    for (const frame of generatedFrames(reply, (word) => word, type)) yield numbered(frame);
    yield this.#event({ type: "response.output_text.done", ...at, text: whole, logprobs: [] });
  }

  *#refusal(reply: ScriptedReply, at: Json): Generator<StreamFrame> {
    const type = "response.refusal.delta";
    yield* named(
      type,
      pieceFrames(reply.refusal, reply, (delta) => this.#json({ type, ...at, delta })),
    );
    yield this.#event({ type: "response.refusal.done", ...at, refusal: reply.refusal });
  }

  #done(item: Item, place: number): StreamFrame {
    return this.#event({ type: "response.output_item.done", output_index: place, item });
  }

  #finished(reply: ScriptedReply): Json {
    const reasons: Partial<Record<ScriptedReply["stop"], string>> = {
      length: "max_output_tokens",
      contentFilter: "content_filter",
    };
    const reason = reasons[reply.stop === "windowFull" ? "length" : reply.stop];
    return {
      ...this.#response(reason === undefined ? "completed" : "incomplete"),
      incomplete_details: reason === undefined ? null : { reason },
      output: outputOf(reply, this.#options),
      ...(reply.usage && { usage: usageFields(reply.usage) }),
    };
  }

  #response(status: string): Json {
    return { ...this.#envelope, status, error: null, incomplete_details: null, output: [], usage: null };
  }

  #event(value: Json & { type: string }): StreamFrame {
    return { data: this.#json(value), part: "delta", delayMs: 0, event: value.type };
  }

  #json(value: Json & { type: string }): string {
    const { type, ...rest } = value;
    const sequence = this.#sequence;
    this.#sequence += 1;
    return JSON.stringify({ type, sequence_number: sequence, ...rest });
  }
}

function* named(event: string, frames: Iterable<StreamFrame>): Generator<StreamFrame> {
  for (const frame of frames) yield { ...frame, event };
}

function usageFields(usage: ReplyUsage): Json {
  const { inputTokens, outputTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
  };
}

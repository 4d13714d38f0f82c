import type { Stop } from "@harness/protocol";
import {
  asCount,
  asList,
  asRecord,
  asText,
  isRecord,
  type JsonRecord,
  withoutUndefined,
} from "../../json/lenient-json.ts";
import { type ErrorText, readErrorObject } from "../failures/error-text.ts";
import { StreamError } from "../failures/failure.ts";
import { stopFor } from "../failures/finish-reason.ts";
import type { BlockDraft, ReplyDraft } from "../reply/reply-draft.ts";
import type { WireReader } from "../wire-api.ts";
import { thoughtData } from "./responses-input.ts";

type Kind = "message" | "reasoning" | "function_call";

/** An event's references to its item. Servers may omit any of these. */
type ItemReferences = {
  /** The position in the output. Some servers give every item the same one. */
  index: number | undefined;
  /** Some servers change it from event to event. */
  id: string;
  callId: string;
};

/** An item of the output, as far as received. */
type ItemDraft = ItemReferences & {
  kind: Kind | "other";
  order: number;
  block?: BlockDraft;
  /** Parts that arrived in pieces; their complete text is a repetition. */
  received: Set<string>;
  /** True once the call has a name. */
  isNamed: boolean;
  /** True once its complete form has arrived. */
  isDone: boolean;
};

/** The target of an event's text: `index` is the field that counts the parts of its item. */
type Channel = { kind: Kind; field: "delta" | "text" | "refusal" | "arguments"; index?: string };

/** Events that bring new text (API reference, "Streaming events"); others only repeat it. */
const channels: Readonly<Record<string, Channel>> = {
  "response.output_text.delta": { kind: "message", field: "delta", index: "content_index" },
  "response.output_text.done": { kind: "message", field: "text", index: "content_index" },
  "response.refusal.delta": { kind: "message", field: "delta", index: "content_index" },
  "response.refusal.done": { kind: "message", field: "refusal", index: "content_index" },
  "response.reasoning_summary_text.delta": { kind: "reasoning", field: "delta", index: "summary_index" },
  "response.reasoning_summary_text.done": { kind: "reasoning", field: "text", index: "summary_index" },
  "response.reasoning_text.delta": { kind: "reasoning", field: "delta", index: "content_index" },
  "response.reasoning_text.done": { kind: "reasoning", field: "text", index: "content_index" },
  "response.function_call_arguments.delta": { kind: "function_call", field: "delta" },
  "response.function_call_arguments.done": { kind: "function_call", field: "arguments" },
};

const ENDS = /^response\.(completed|incomplete|failed|cancelled|done)$/;

export class ResponsesReader implements WireReader {
  readonly #draft: ReplyDraft;
  readonly #items: ItemDraft[] = [];
  #refused = false;

  constructor(draft: ReplyDraft) {
    this.#draft = draft;
  }

  read(value: unknown, name: string | undefined): void {
    const event = asRecord(value);
    const type = asText(event.type) || (name ?? "");
    const channel = channels[type];
    if (channel) this.#readText(type, channel, event);
    else if (type === "response.output_item.added") this.#readAdded(event);
    else if (type === "response.output_item.done") this.#readDone(event, asRecord(event.item));
    else if (ENDS.test(type)) this.#readEnd(asRecord(event.response), type);
    else if (type === "error" || (type === "" && event.error)) throw new StreamError(errorOf(event));
    // A server that does not stream sends the content of a stream's last event.
    else if (event.object === "response") this.#readEnd(event, "");
  }

  finish(): void {
    if (this.#refused) this.#draft.finish = "refusal";
  }

  #readText(type: string, { kind, field, index }: Channel, event: JsonRecord): void {
    const isWhole = field !== "delta";
    const item = this.#itemOf(namesOf(event), kind, isWhole) ?? this.#start(namesOf(event), kind);
    const part = index === undefined ? "" : `${index} ${asCount(event[index]) ?? 0}`;
    if (type.startsWith("response.refusal.")) this.#refused = true;
    this.#add(item, part, field === "arguments" ? argumentsOf(event) : asText(event[field]), isWhole);
  }

  #readAdded(event: JsonRecord): void {
    const json = asRecord(event.item);
    const item = this.#start(namesOf(event, json), kindOf(json), json);
    if (item.kind === "function_call") this.#nameCall(item, json);
  }

  /** Servers that do not stream items only send them complete. */
  #readDone(event: JsonRecord, json: JsonRecord): void {
    const names = namesOf(event, json);
    const item = this.#itemOf(names, kindOf(json), false) ?? this.#start(names, kindOf(json), json);
    item.isDone = true;
    if (item.kind === "function_call") {
      this.#nameCall(item, json);
      this.#add(item, "", argumentsOf(json), true);
    } else if (item.received.size === 0) {
      const summary = asList(json.summary);
      const parts = (summary.length > 0 ? summary : asList(json.content)).map(asRecord);
      for (const [at, part] of parts.entries()) {
        if (part.type === "refusal") this.#refused = true;
        this.#add(item, `whole ${at}`, asText(part.text) || asText(part.refusal), true);
      }
    }
    if (item.kind === "reasoning" && item.block) item.block.vendorData = thoughtData(json);
  }

  #readEnd(response: JsonRecord, type: string): void {
    if (isRecord(response.usage)) this.#draft.usage = usageOf(response.usage);
    const status = asText(response.status) || type.slice("response.".length);
    if (response.error || status === "failed" || status === "cancelled") throw new StreamError(errorOf(response));
    if (this.#items.length === 0) {
      for (const [at, item] of asList(response.output).entries()) this.#readDone({ output_index: at }, asRecord(item));
    }
    this.#draft.finish = status === "incomplete" ? cutFor(asText(asRecord(response.incomplete_details).reason)) : "end";
    this.#draft.isClosed = true;
  }

  /**
   * The item that an event belongs to, if it has begun; servers may omit the event that begins it. Its index decides,
   * then its ids. Without a match it is an unfinished item: the first one with unknown ids, or the last one if the
   * event has none. An event that repeats a complete text may come late.
   */
  #itemOf(references: ItemReferences, kind: ItemDraft["kind"], isWhole: boolean): ItemDraft | undefined {
    const isNameless = references.index === undefined && references.id === "" && references.callId === "";
    let open: ItemDraft | undefined;
    let newest: ItemDraft | undefined;
    for (let at = this.#items.length - 1; at >= 0; at -= 1) {
      const item = this.#items[at];
      if (item?.kind !== kind || differs(item.callId, references.callId)) continue;
      if (isSame(item, references)) return learn(item, references);
      newest ??= item;
      if (!item.isDone && mayBe(item, references)) open = isNameless ? (open ?? item) : item;
    }
    if (open) return learn(open, references);
    return isNameless && isWhole ? newest : undefined;
  }

  #start(references: ItemReferences, kind: ItemDraft["kind"], json: JsonRecord = {}): ItemDraft {
    const item: ItemDraft = {
      ...references,
      kind,
      order: this.#items.length,
      received: new Set(),
      isNamed: false,
      isDone: false,
    };
    this.#items.push(item);
    if (kind === "message") {
      this.#keepPhase(json);
      item.block = this.#draft.startBlock("text");
    } else if (kind === "reasoning") item.block = this.#draft.startBlock("thinking");
    return item;
  }

  /** Records if text is the answer or commentary: the vendor requires it back, and only thinking has a field for it. */
  #keepPhase({ phase }: JsonRecord): void {
    if (typeof phase === "string") this.#draft.startBlock("thinking").vendorData = { phase };
  }

  /** A call has two ids: results use `call_id`, or the id that came first. */
  #nameCall(item: ItemDraft, json: JsonRecord): void {
    if (item.isNamed) return;
    const name = asText(json.name);
    item.isNamed = name !== "";
    this.#draft.addCall({ index: item.order, id: item.callId || item.id, name, text: "" });
  }

  /** `isWhole`: a complete part, which only counts if no piece of it came before. */
  #add(item: ItemDraft, part: string, text: string, isWhole: boolean): void {
    if (text === "" || (isWhole && item.received.has(part))) return;
    const isFirst = !item.received.has(part);
    if (item.kind === "function_call") this.#draft.addCall({ index: item.order, id: "", name: "", text });
    else {
      if (isFirst && item.received.size > 0 && item.kind === "reasoning") item.block?.add("\n\n");
      item.block?.add(text);
    }
    if (isFirst) item.received.add(part);
  }
}

function namesOf(event: JsonRecord, item: JsonRecord = {}): ItemReferences {
  return {
    index: asCount(event.output_index),
    id: asText(event.item_id) || asText(item.id),
    callId: asText(item.call_id) || asText(event.call_id),
  };
}

/** True if both are known and differ. */
function differs(one: string, other: string): boolean {
  return one !== "" && other !== "" && one !== other;
}

function isSame(item: ItemDraft, { index, id, callId }: ItemReferences): boolean {
  if (index !== undefined && item.index !== undefined) return index === item.index;
  return (id !== "" && id === item.id) || (callId !== "" && callId === item.callId);
}

/** True if no known reference contradicts the match. */
function mayBe(item: ItemDraft, { index, id }: ItemReferences): boolean {
  return (index === undefined || item.index === undefined) && !differs(item.id, id);
}

function learn(item: ItemDraft, { index, id, callId }: ItemReferences): ItemDraft {
  item.index ??= index;
  item.id ||= id;
  item.callId ||= callId;
  return item;
}

function kindOf({ type }: JsonRecord): ItemDraft["kind"] {
  return type === "message" || type === "reasoning" || type === "function_call" ? type : "other";
}

/** An incomplete reply has reached a limit, unless the server says otherwise. */
function cutFor(reason: string): Stop {
  const stop = stopFor(reason);
  return stop === "end" ? "length" : stop;
}

/** Codes of the API reference ("The response object", `error`), because a stream has no status any more. */
function errorOf(value: JsonRecord): ErrorText {
  const error = readErrorObject(value.error ? value : { message: "the response failed", ...value });
  if (error.status !== undefined) return error;
  if (/rate_limit_exceeded|usage_limit_reached/.test(error.codes)) return { ...error, status: 429 };
  return /\b(invalid_|image_|empty_image|unsupported_|failed_to_download|bio_policy|misalignment)/.test(error.codes)
    ? { ...error, status: 400 }
    : error;
}

function usageOf(usage: JsonRecord): NonNullable<ReplyDraft["usage"]> {
  const input = asRecord(usage.input_tokens_details);
  return withoutUndefined({
    inputTokens: asCount(usage.input_tokens),
    outputTokens: asCount(usage.output_tokens),
    cacheReadTokens: asCount(input.cached_tokens),
    cacheWriteTokens: asCount(input.cache_write_tokens),
    reasoningTokens: asCount(asRecord(usage.output_tokens_details).reasoning_tokens),
  });
}

/** Some servers send the object itself instead of its text. */
function argumentsOf({ arguments: given }: JsonRecord): string {
  return isRecord(given) ? JSON.stringify(given) : asText(given);
}

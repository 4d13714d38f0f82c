import {
  asCount,
  asList,
  asRecord,
  asText,
  isRecord,
  type JsonRecord,
  withoutUndefined,
} from "../../json/lenient-json.ts";
import { readErrorObject } from "../failures/error-text.ts";
import { StreamError } from "../failures/failure.ts";
import { takeEnd } from "../failures/finish-reason.ts";
import type { BlockDraft, ReplyDraft } from "../reply/reply-draft.ts";
import type { WireReader } from "../wire-api.ts";

/** A block that has begun. A call knows the arguments that it began with, which count if no others arrive. */
type Open = { type: "text" | "thinking"; block: BlockDraft } | { type: "call"; given: string } | { type: "other" };

/**
 * Reads the events of the API ("Streaming Messages"), and the single document of a server that does not stream. Blocks
 * and events of other kinds are skipped.
 */
export class EventReader implements WireReader {
  readonly #draft: ReplyDraft;
  readonly #open = new Map<number, Open>();
  readonly #counts: Counts = {};
  #newest = 0;

  constructor(draft: ReplyDraft) {
    this.#draft = draft;
  }

  read(value: unknown, name: string | undefined): void {
    const event = asRecord(value);
    const type = asText(event.type) || name || (Array.isArray(event.content) ? "message" : undefined);
    if (type === "error" || isRecord(event.error) || asText(event.error) !== "")
      throw new StreamError(readErrorObject(value));
    switch (type) {
      case "message_start":
        this.#readUsage(asRecord(event.message).usage);
        break;
      case "content_block_start":
        this.#start(asCount(event.index) ?? this.#newest + 1, asRecord(event.content_block));
        break;
      case "content_block_delta":
        this.#grow(asCount(event.index) ?? this.#newest, asRecord(event.delta));
        break;
      case "content_block_stop":
        this.#stop(asCount(event.index) ?? this.#newest);
        break;
      case "message_delta":
        this.#readUsage(event.usage);
        this.#readStop(asRecord(event.delta).stop_reason);
        break;
      case "message_stop":
        this.#draft.isClosed = true;
        break;
      case "message":
        this.#readMessage(event);
        break;
      default:
    }
  }

  finish(): void {
    for (const index of [...this.#open.keys()]) this.#stop(index);
  }

  #readMessage(message: JsonRecord): void {
    asList(message.content).forEach((block, index) => {
      this.#start(index, asRecord(block));
      this.#stop(index);
    });
    this.#readUsage(message.usage);
    this.#readStop(message.stop_reason);
    this.#draft.isClosed = true;
  }

  #start(index: number, content: JsonRecord): void {
    this.#stop(index);
    this.#newest = index;
    this.#open.set(index, this.#openOf(index, content));
  }

  #openOf(index: number, content: JsonRecord): Open {
    switch (content.type) {
      case "text":
        return this.#openText("text", asText(content.text));
      case "thinking": {
        const open = this.#openText("thinking", asText(content.thinking));
        sign(open.block, content.signature);
        return open;
      }
      case "redacted_thinking": {
        const { block } = this.#openText("thinking", "");
        block.vendorData = { type: content.type, data: asText(content.data) };
        return { type: "other" };
      }
      case "tool_use":
        this.#draft.addCall({ index, id: asText(content.id), name: asText(content.name), text: "" });
        return { type: "call", given: JSON.stringify(content.input ?? {}) };
      default:
        return { type: "other" };
    }
  }

  #openText(type: "text" | "thinking", text: string): Extract<Open, { block: BlockDraft }> {
    const block = this.#draft.startBlock(type);
    block.add(text);
    return { type, block };
  }

  #grow(index: number, delta: JsonRecord): void {
    const open = this.#open.get(index);
    if (open === undefined) return;
    if (open.type === "call") {
      const text = asText(delta.partial_json);
      if (text === "") return;
      open.given = "";
      this.#draft.addCall({ index, id: "", name: "", text });
    } else if (open.type === "text") {
      open.block.add(asText(delta.text));
    } else if (open.type === "thinking") {
      open.block.add(asText(delta.thinking));
      sign(open.block, delta.signature);
    }
  }

  #stop(index: number): void {
    const open = this.#open.get(index);
    this.#open.delete(index);
    if (open?.type === "call" && open.given !== "") {
      this.#draft.addCall({ index, id: "", name: "", text: open.given });
    }
  }

  #readStop(reason: unknown): void {
    if (typeof reason === "string" && reason !== "") takeEnd(this.#draft, reason);
  }

  /** Counts come at the start and again at the end, from some servers at only one of the two; they never decrease. */
  #readUsage(usage: unknown): void {
    if (!isRecord(usage)) return;
    const all: JsonRecord = { ...usage, thinking_tokens: asRecord(usage.output_tokens_details).thinking_tokens };
    for (const name of COUNTS) {
      const count = asCount(all[name]);
      if (count !== undefined) this.#counts[name] = Math.max(count, this.#counts[name] ?? 0);
    }
    this.#draft.usage = usageOf(this.#counts);
  }
}

const COUNTS = [
  "input_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "output_tokens",
  "thinking_tokens",
] as const;

type Counts = { [Name in (typeof COUNTS)[number]]?: number };

/**
 * The prompt is counted in three parts: uncached, read from a cache, written to a cache. Without the first, the others
 * mean little.
 */
function usageOf(counts: Counts): NonNullable<ReplyDraft["usage"]> {
  const { input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: written } = counts;
  const prompt = input !== undefined && {
    inputTokens: input + (read ?? 0) + (written ?? 0),
    cacheReadTokens: read,
    cacheWriteTokens: written,
  };
  return withoutUndefined({ ...prompt, outputTokens: counts.output_tokens, reasoningTokens: counts.thinking_tokens });
}

function sign(block: BlockDraft, signature: unknown): void {
  const text = asText(signature);
  if (text !== "") block.signature = (block.signature ?? "") + text;
}

import type { Usage } from "@harness/protocol";
import { asCount, asList, asRecord, asText, isRecord, type JsonRecord } from "../../json/lenient-json.ts";
import { readErrorObject } from "../failures/error-text.ts";
import { StreamError } from "../failures/failure.ts";
import { takeEnd } from "../failures/finish-reason.ts";
import type { ReplyDraft } from "../reply/reply-draft.ts";
import type { WireReader } from "../wire-api.ts";
import type { ThinkingData } from "./chat-messages.ts";
import { chatUsage, llamaUsage } from "./chat-usage.ts";
import { ReasoningDetails, readableOf } from "./reasoning-details.ts";

/** Reads the chunks of chat completions, and complete ones, from every vendor: their fields do not conflict. */
export class ChatReader implements WireReader {
  readonly #draft: ReplyDraft;
  readonly #details = new ReasoningDetails();
  #data: ThinkingData | undefined;
  /** llama.cpp's timings, which come before the usage, after it, or instead of it. */
  #timed: Usage | undefined;
  #counted: Usage | undefined;
  #isInThought = false;
  #refused = false;

  constructor(draft: ReplyDraft) {
    this.#draft = draft;
  }

  read(value: unknown, name: string | undefined): void {
    // Google wraps its errors in a list.
    const chunk = asRecord(Array.isArray(value) ? value[0] : value);
    const groq = asRecord(chunk.x_groq);
    if (chunk.error || name === "error") throw new StreamError(readErrorObject(chunk));
    if (groq.error) throw new StreamError(readErrorObject(groq));
    this.#readCounts(chunk, groq);
    // If a server sends several, the others are other replies.
    const choice = asList(chunk.choices)
      .map(asRecord)
      .find(({ index }) => index === 0 || typeof index !== "number");
    if (!choice) return;
    // A server that does not stream sends `message`.
    this.#readDelta(asRecord(choice.delta ?? choice.message));
    const finish = asText(choice.finish_reason);
    if (finish !== "") takeEnd(this.#draft, finish, choice.error);
  }

  finish(): void {
    const details = this.#details.whole();
    this.#draft.thinkingData = details ? { field: "reasoning_details", details } : this.#data;
    if (this.#refused) this.#draft.finish = "refusal";
  }

  #readCounts(chunk: JsonRecord, groq: JsonRecord): void {
    const usage = isRecord(chunk.usage) ? chunk.usage : groq.usage;
    if (isRecord(usage)) this.#counted = chatUsage(usage);
    if (isRecord(chunk.timings)) this.#timed = llamaUsage(chunk.timings);
    if (this.#counted || this.#timed) this.#draft.usage = { ...this.#timed, ...this.#counted };
    const { processed, total } = asRecord(chunk.prompt_progress);
    const done = asCount(processed);
    const all = asCount(total);
    if (done !== undefined && all !== undefined) this.#draft.readPrompt(done, all);
  }

  #readDelta(delta: JsonRecord): void {
    this.#readThinking(delta);
    const { google, ...others } = asRecord(delta.extra_content);
    this.#readContent(delta.content, asRecord(google).thought === true);
    if (google !== undefined) this.#readSignature(asRecord(google), others);
    const refusal = asText(delta.refusal);
    if (refusal !== "") {
      this.#refused = true;
      this.#draft.addText(refusal);
    }
    for (const call of asList(delta.tool_calls)) this.#readCall(asRecord(call));
    if (isRecord(delta.function_call)) this.#readCall({ index: 0, function: delta.function_call });
  }

  #readThinking(delta: JsonRecord): void {
    this.#details.add(delta.reasoning_details);
    const content = asText(delta.reasoning_content);
    const text = content || asText(delta.reasoning);
    if (text !== "") this.#data ??= { field: content ? "reasoning_content" : "reasoning" };
    this.#draft.addThinking(text || readableOf(delta.reasoning_details));
  }

  #readContent(content: unknown, isThought: boolean): void {
    if (typeof content === "string") {
      this.#readWords(content, isThought);
      return;
    }
    // Mistral sends a list of parts, which includes thinking.
    for (const part of asList(content).map(asRecord)) {
      if (part.type === "thinking") {
        this.#data ??= { field: "content" };
        this.#draft.addThinking(readableOf(part.thinking));
      } else this.#draft.addText(asText(part.text));
    }
  }

  /** Google marks its thoughts and puts them between tags; the closing tag comes with the beginning of the answer. */
  #readWords(content: string, isThought: boolean): void {
    if (isThought) {
      const text = !this.#isInThought && content.startsWith(OPENING) ? content.slice(OPENING.length) : content;
      const end = text.indexOf(CLOSING);
      this.#draft.addThinking(end < 0 ? text : text.slice(0, end));
      if (end >= 0) this.#draft.addText(text.slice(end + CLOSING.length));
      this.#isInThought = end < 0;
    } else if (this.#isInThought && content !== "") {
      this.#isInThought = false;
      this.#draft.addText(content.startsWith(CLOSING) ? content.slice(CLOSING.length) : content);
    } else this.#draft.addText(content);
  }

  /** A signature outside calls covers the text; it comes with the last delta, or alone after it. */
  #readSignature({ thought: _thought, ...google }: JsonRecord, others: JsonRecord): void {
    if (Object.keys(google).length > 0) this.#data = { field: "extra_content", extra: { ...others, google } };
  }

  #readCall(call: JsonRecord): void {
    const { name, arguments: given } = asRecord(call.function);
    const index = asCount(call.index);
    this.#draft.addCall({
      ...(index !== undefined && { index }),
      id: asText(call.id),
      name: asText(name),
      text: isRecord(given) ? JSON.stringify(given) : asText(given),
      // Google's thought signatures accompany the call.
      ...(isRecord(call.extra_content) && { vendorData: { extra_content: call.extra_content } }),
    });
  }
}

const OPENING = "<thought>";
const CLOSING = "</thought>";

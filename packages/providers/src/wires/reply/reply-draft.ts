import type { ModelEvent } from "@harness/core";
import type { AgentPart, Stop, ThinkingPart, Usage } from "@harness/protocol";
import { CallDrafts, type CallPiece, type DraftOptions } from "./call-drafts.ts";
import { MAX_REPLY_TEXT, TooLongError } from "./too-long.ts";

type Delta = Extract<ModelEvent, { type: "text" | "thinking" | "tool_input" }>;
type Progress = Extract<ModelEvent, { phase: "prefill" }>;
type WholeCall = Extract<ModelEvent, { type: "call" }>;

/** A block of text or thinking, in formats that send a reply as a list of blocks. */
export interface BlockDraft {
  add(text: string): void;
  /** Thinking only: what the vendor requires back with this block. A block without text and these is omitted. */
  signature: string | undefined;
  vendorData: unknown;
}

/**
 * One reply as it arrives: the new parts since the last look, and the whole at the end. Formats without blocks add to
 * one text and one thinking, which precede all calls; formats with blocks start each one, and blocks and calls keep the
 * order in which they began.
 */
export class ReplyDraft {
  readonly #calls: CallDrafts;
  readonly #text: Block;
  readonly #thinking: Block;
  readonly #blocks: Block[];
  #pending: (Delta | Progress)[] = [];
  /** The number of calls passed on as complete, and of those followed by something else. */
  #handedOn = 0;
  #closed = 0;
  #hasBegun = false;
  #length = 0;
  /** The server's stop reason; absent until it comes. */
  finish: Stop | undefined;
  /** The server's word for the end, if it is unknown. */
  oddEnd: string | undefined;
  /** True if the server marked the end of the stream. */
  isClosed = false;
  usage: Usage | undefined;

  constructor(options: DraftOptions) {
    this.#calls = new CallDrafts(options);
    this.#thinking = this.#newBlock("thinking");
    this.#text = this.#newBlock("text");
    this.#blocks = [this.#thinking, this.#text];
  }

  addText(text: string): void {
    this.#text.add(text);
  }

  addThinking(text: string): void {
    this.#thinking.add(text);
  }

  /** Data that the vendor requires back with the thinking of `addThinking`. */
  set thinkingData(data: unknown) {
    this.#thinking.vendorData = data;
  }

  startBlock(type: "text" | "thinking"): BlockDraft {
    this.closeCalls();
    const block = this.#newBlock(type);
    this.#blocks.push(block);
    return block;
  }

  addCall(piece: CallPiece): void {
    this.#count(piece.text);
    const input = this.#calls.add(piece);
    if (!input) return;
    const last = this.#pending.at(-1);
    if (last?.type === "tool_input" && last.toolCallId === input.toolCallId) last.text += input.text;
    else this.#pending.push({ type: "tool_input", ...input });
    this.#hasBegun = true;
  }

  /** Nothing that arrives later belongs to the calls so far. */
  closeCalls(): void {
    this.#closed = this.#calls.count;
  }

  /** Progress of prompt evaluation. Ignored once the reply has begun. */
  readPrompt(doneTokens: number, totalTokens: number): void {
    if (this.#hasBegun) return;
    this.#pending = [{ type: "status", phase: "prefill", doneTokens, totalTokens }];
  }

  /** Everything from one network read is emitted together, in a few events. */
  takeDeltas(): (Delta | Progress | WholeCall)[] {
    const taken = this.#pending;
    this.#pending = [];
    const calls = this.#wholeCalls();
    return calls.length > 0 ? [...taken, ...calls] : taken;
  }

  /**
   * Calls after which the next one has begun, or that the wire has closed, in order. Otherwise the last call of a reply
   * is not included: it could be incomplete, and servers close the JSON of what they cut off. After an unreadable call,
   * none is passed on.
   */
  #wholeCalls(): WholeCall[] {
    const calls: WholeCall[] = [];
    for (const whole = Math.max(this.#closed, this.#calls.count - 1); this.#handedOn < whole; this.#handedOn += 1) {
      const part = this.#calls.wholeAt(this.#handedOn);
      if (part) calls.push({ type: "call", part });
      else this.#handedOn = Number.MAX_SAFE_INTEGER;
    }
    return calls;
  }

  /** True if the server marked the reply as complete. Otherwise the stream broke. */
  get isComplete(): boolean {
    return this.finish !== undefined || this.isClosed;
  }

  end(): Extract<ModelEvent, { type: "end" }> {
    const parts: AgentPart[] = [];
    let placed = 0;
    for (const block of this.#blocks) {
      parts.push(...this.#calls.finish(placed, block.callsBefore), ...block.parts());
      placed = block.callsBefore;
    }
    parts.push(...this.#calls.finish(placed));
    const hasCalls = parts.some((part) => part.type === "tool_call");
    return {
      type: "end",
      parts,
      stop: stopOf(this.finish, hasCalls),
      ...(this.oddEnd !== undefined && { oddEnd: this.oddEnd }),
      ...(this.usage && { usage: this.usage }),
    };
  }

  /**
   * The parts of an unfinished reply that people may read. Calls are omitted because they may be incomplete, as is data
   * that the vendor requires back, which is only valid as a whole.
   */
  visibleParts(): AgentPart[] {
    return this.#blocks.flatMap((block) => block.visibleParts());
  }

  #count(text: string): void {
    this.#length += text.length;
    if (this.#length > MAX_REPLY_TEXT) throw new TooLongError("a reply", MAX_REPLY_TEXT);
  }

  #newBlock(type: "text" | "thinking"): Block {
    return new Block(type, this.#calls.count, (text) => this.#push(type, text));
  }

  #push(type: "text" | "thinking", text: string): void {
    if (text === "") return;
    this.#count(text);
    const last = this.#pending.at(-1);
    if (last?.type === type) last.text += text;
    else this.#pending.push({ type, text });
    this.#hasBegun = true;
  }
}

/**
 * Calls count even if a server forgets to announce them; a server that announces calls but sends none has just ended.
 */
function stopOf(finish: Stop | undefined, hasCalls: boolean): Stop {
  if (finish === undefined || finish === "end" || finish === "tool_calls") return hasCalls ? "tool_calls" : "end";
  return finish;
}

class Block implements BlockDraft {
  readonly #type: "text" | "thinking";
  readonly #onText: (text: string) => void;
  readonly #held = new HeldText();
  /** The number of calls that began before it. */
  readonly callsBefore: number;
  signature: string | undefined;
  vendorData: unknown;

  constructor(type: "text" | "thinking", callsBefore: number, onText: (text: string) => void) {
    this.#type = type;
    this.callsBefore = callsBefore;
    this.#onText = onText;
  }

  add(text: string): void {
    this.#onText(this.#held.add(text));
  }

  parts(): AgentPart[] {
    const { signature, vendorData } = this;
    if (this.#type === "text" || (signature === undefined && vendorData === undefined)) return this.visibleParts();
    const part: ThinkingPart = { type: "thinking", text: this.#held.whole() };
    if (signature !== undefined) part.signature = signature;
    if (vendorData !== undefined) part.vendorData = vendorData;
    return [part];
  }

  visibleParts(): AgentPart[] {
    const text = this.#held.whole();
    return text === "" ? [] : [{ type: this.#type, text }];
  }
}

/** Text that never splits a surrogate pair: the first half waits for the second. */
class HeldText {
  #text = "";
  #held = "";

  /** Returns the text that may be shown now. */
  add(text: string): string {
    let now = this.#held + text;
    const last = now.charCodeAt(now.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#held = isHalf ? now.slice(-1) : "";
    if (isHalf) now = now.slice(0, -1);
    const wellFormed = now.toWellFormed();
    this.#text += wellFormed;
    return wellFormed;
  }

  whole(): string {
    return this.#text + this.#held.toWellFormed();
  }
}

import type { ModelEvent } from "@harness/core";
import type { AgentPart, Stop, ThinkingPart, Usage } from "@harness/protocol";
import { CallDrafts, type CallPiece } from "./call-drafts.ts";

type Delta = Extract<ModelEvent, { type: "text" | "thinking" | "tool_input" }>;

export type DraftOptions = {
  /** Ids of tool calls that earlier messages use. */
  takenIds(): Set<string>;
  newId(): string;
};

/** One reply as it arrives: what is new since the last look, and in the end the whole. */
export class ReplyDraft {
  readonly #calls: CallDrafts;
  readonly #text = new HeldText();
  readonly #thinking = new HeldText();
  #pending: Delta[] = [];
  /** Why the server says it stopped; absent until it does. */
  finish: Stop | undefined;
  /** The server marked the end of the stream. */
  isClosed = false;
  usage: Usage | undefined;
  /** What the vendor wants back with the thinking. */
  thinkingData: unknown;

  constructor(options: DraftOptions) {
    this.#calls = new CallDrafts(options.takenIds, options.newId);
  }

  addText(text: string): void {
    this.#push("text", this.#text.add(text));
  }

  addThinking(text: string): void {
    this.#push("thinking", this.#thinking.add(text));
  }

  addCall(piece: CallPiece): void {
    const input = this.#calls.add(piece);
    if (!input) return;
    const last = this.#pending.at(-1);
    if (last?.type === "tool_input" && last.toolCallId === input.toolCallId) last.text += input.text;
    else this.#pending.push({ type: "tool_input", ...input });
  }

  /** Everything that one read from the network brought goes out together, in a few events. */
  takeDeltas(): Delta[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  /** Did the server say that this is all? Otherwise the stream broke. */
  get isComplete(): boolean {
    return this.finish !== undefined || this.isClosed;
  }

  end(): Extract<ModelEvent, { type: "end" }> {
    const calls = this.#calls.finish();
    const parts = [...this.#spoken(this.thinkingData), ...calls];
    return {
      type: "end",
      parts,
      stop: stopOf(this.finish, calls.length > 0),
      ...(this.usage && { usage: this.usage }),
    };
  }

  /**
   * What had arrived of a reply that will not be finished, for people to read. Calls are not in it, for they might be
   * halves, and neither is what the vendor wants back, which is only valid whole.
   */
  spoken(): AgentPart[] {
    return this.#spoken(undefined);
  }

  #spoken(thinkingData: unknown): AgentPart[] {
    const parts: AgentPart[] = [];
    const thinking = this.#thinking.whole();
    if (thinking !== "" || thinkingData !== undefined) {
      const part: ThinkingPart = { type: "thinking", text: thinking };
      parts.push(thinkingData === undefined ? part : { ...part, vendorData: thinkingData });
    }
    const text = this.#text.whole();
    if (text !== "") parts.push({ type: "text", text });
    return parts;
  }

  #push(type: "text" | "thinking", text: string): void {
    if (text === "") return;
    const last = this.#pending.at(-1);
    if (last?.type === type) last.text += text;
    else this.#pending.push({ type, text });
  }
}

/** A call wins over a server that forgets to say so; a server that announces calls and has none just ended. */
function stopOf(finish: Stop | undefined, hasCalls: boolean): Stop {
  if (finish === undefined || finish === "end" || finish === "tool_calls") return hasCalls ? "tool_calls" : "end";
  return finish;
}

/** Text in which no character is ever cut in two: the first half of a pair waits for the second one. */
class HeldText {
  #told = "";
  #held = "";

  /** Returns what may be shown now. */
  add(text: string): string {
    let now = this.#held + text;
    const last = now.charCodeAt(now.length - 1);
    const isHalf = last >= 0xd800 && last <= 0xdbff;
    this.#held = isHalf ? now.slice(-1) : "";
    if (isHalf) now = now.slice(0, -1);
    const wellFormed = now.toWellFormed();
    this.#told += wellFormed;
    return wellFormed;
  }

  whole(): string {
    return this.#told + this.#held.toWellFormed();
  }
}

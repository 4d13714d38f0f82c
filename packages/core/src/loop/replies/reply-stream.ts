import type { AgentPart, Cost, Delta } from "@harness/protocol";
import { modelKey } from "../../context/model-key.ts";
import { AttemptMeter } from "../../context/tokens/attempt-meter.ts";
import type { ModelEvent } from "../../ports/provider.ts";
import type { Repair } from "../stages/stage-value.ts";
import type { Turn } from "../turn/turn.ts";
import { type Repetition, RepetitionDetector, withoutRepetition } from "./repetition-detector.ts";

/** A reply with this much repetition is not an answer. */
const REPEATED_TEXT = 16_384;
/** Higher for the input of calls, which may well be monotonous. */
const REPEATED_INPUT = 65_536;

/** The events that show a reply while it arrives. */
export type StreamedEvent = Exclude<ModelEvent, { type: "end" | "failed" | "call" }>;

/** The cost of an attempt that ended without a report of its tokens. */
type UnreportedCost = { cost: Cost; provider: string; model: string };

/** Streams a reply to clients while it arrives, and keeps it in case it breaks off. */
export class ReplyStream {
  readonly #turn: Turn;
  readonly #messageId: string;
  #text = "";
  #thinking = "";
  #thoughtMs = 0;
  /** When the last piece of thinking arrived; undefined after any other event. */
  #thoughtAtMs: number | undefined;
  readonly #inputs = new Map<string, { text: string; detector: RepetitionDetector }>();
  readonly #detectors = {
    text: new RepetitionDetector(REPEATED_TEXT),
    thinking: new RepetitionDetector(REPEATED_TEXT),
  };
  /** The endless repetition found in the reply, and its place. */
  #repeated: { in: "text" | "thinking" | "input"; at: Repetition } | undefined;
  #repairs: Repair[] = [];
  #begun = false;
  #closed = false;
  readonly #attempts = new AttemptMeter();
  readonly #unreported: UnreportedCost;

  constructor(turn: Turn, messageId: string, unreported: UnreportedCost) {
    this.#turn = turn;
    this.#messageId = messageId;
    this.#unreported = unreported;
  }

  /** To be recorded after the reply. */
  get repairs(): Repair[] {
    return this.#repairs;
  }

  /** How long thinking took to arrive; undefined if there was none, or it came at once. */
  get thoughtMs(): number | undefined {
    return Math.round(this.#thoughtMs) || undefined;
  }

  /** True if it repeats itself, so that nothing else is to be expected. */
  get isRepeating(): boolean {
    return this.#repeated !== undefined;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Later events are not shown. */
  close(): void {
    this.#closed = true;
  }

  /** True if part of the last attempt had arrived, so that it costs tokens. */
  hasBegun(): boolean {
    return this.#attempts.hasBegun(this.#turn.signal.aborted);
  }

  take(event: StreamedEvent): void {
    const isVoid = this.#attempts.take(event);
    if (event.type !== "thinking") this.#thoughtAtMs = undefined;
    const messageId = this.#messageId;
    switch (event.type) {
      case "status":
        if (!this.#begun) this.#turn.delta(statusDelta(messageId, event));
        return;
      case "repair": {
        const { type: _, ...repair } = event;
        if (repair.what === "no_native_tools") this.#recordPromptedTools(repair);
        else this.#repairs.push(repair);
        return;
      }
      case "left_out":
        this.#tellLeftOut(event);
        return;
      case "text":
        if (event.text === "") return;
        this.#begun = true;
        this.#turn.delta({
          sessionUpdate: "agent_message_chunk",
          messageId,
          offset: this.#text.length,
          text: event.text,
        });
        this.#text += event.text;
        this.#look(
          "text",
          this.#detectors.text.take(event.text, () => this.#text),
        );
        return;
      case "thinking":
        if (event.text === "") return;
        this.#begun = true;
        this.#turn.delta({
          sessionUpdate: "agent_thought_chunk",
          messageId,
          offset: this.#thinking.length,
          text: event.text,
        });
        this.#thinking += event.text;
        this.#look(
          "thinking",
          this.#detectors.thinking.take(event.text, () => this.#thinking),
        );
        this.#timeThought();
        return;
      case "tool_input":
        this.#takeInput(event.toolCallId, event.name, event.text);
        return;
      case "retry":
        this.#restart(event, isVoid);
        return;
    }
  }

  #look(where: "text" | "thinking" | "input", at: Repetition | undefined): void {
    if (at) this.#repeated ??= { in: where, at };
  }

  #timeThought(): void {
    const nowMs = this.#turn.runtime.clock.monotonicMs();
    this.#thoughtMs += nowMs - (this.#thoughtAtMs ?? nowMs);
    this.#thoughtAtMs = nowMs;
  }

  /** The text and thinking so far, with repetitions shortened. Calls of a broken stream are never kept. */
  parts(): AgentPart[] {
    const thinking = this.#shown("thinking", this.#thinking);
    const text = this.#shown("text", this.#text);
    return [
      ...(thinking === "" ? [] : [{ type: "thinking" as const, text: thinking }]),
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ];
  }

  #shown(where: "text" | "thinking", text: string): string {
    return this.#repeated?.in === where ? withoutRepetition(text, this.#repeated.at) : text;
  }

  /** Recorded once per session: it is about the model, and a retry does not undo it. */
  #recordPromptedTools(repair: Repair): void {
    const key = modelKey(this.#unreported.provider, this.#unreported.model);
    if (!this.#turn.scope.requests.models.isFirstPromptedTools(key)) return;
    this.#turn.record({ sessionUpdate: "repair", messageId: this.#messageId, ...repair });
  }

  /** Once per session and tool: the model does not know of it, and no other message says so. */
  #tellLeftOut({ tools, reason }: Extract<ModelEvent, { type: "left_out" }>): void {
    const key = modelKey(this.#unreported.provider, this.#unreported.model);
    const fresh = this.#turn.scope.requests.models.newlyLeftOut(key, tools);
    if (fresh.length === 0) return;
    const names = fresh.map((name) => `\`${name}\``).join(", ");
    const what = fresh.length === 1 ? `The tool ${names} is` : `The tools ${names} are`;
    this.#turn.notice("warning", `${what} left out: the model's server does not take the description.`, reason);
  }

  #takeInput(toolCallId: string, name: string, text: string): void {
    this.#begun = true;
    const input = this.#inputs.get(toolCallId) ?? { text: "", detector: new RepetitionDetector(REPEATED_INPUT) };
    this.#inputs.set(toolCallId, input);
    const offset = input.text.length;
    this.#turn.delta({ sessionUpdate: "tool_input_chunk", messageId: this.#messageId, toolCallId, name, offset, text });
    input.text += text;
    this.#look(
      "input",
      input.detector.take(text, () => input.text),
    );
  }

  /** `isVoid`: part of the attempt had arrived, is lost, and costs tokens. */
  #restart({ attempt, maxAttempts, delayMs, failure }: Extract<ModelEvent, { type: "retry" }>, isVoid: boolean): void {
    this.#text = "";
    this.#thinking = "";
    this.#thoughtMs = 0;
    this.#inputs.clear();
    this.#detectors.text.reset();
    this.#detectors.thinking.reset();
    this.#repeated = undefined;
    this.#repairs = [];
    this.#begun = false;
    const messageId = this.#messageId;
    const spent = isVoid ? this.#unreported : {};
    if (isVoid) this.#turn.spend(undefined, this.#unreported.cost);
    this.#turn.record({ sessionUpdate: "retry", messageId, attempt, maxAttempts, delayMs, error: failure, ...spent });
  }
}

function statusDelta(messageId: string, { type: _, ...status }: Extract<ModelEvent, { type: "status" }>): Delta {
  return { sessionUpdate: "request_status", messageId, ...status };
}

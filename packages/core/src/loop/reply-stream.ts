import type { AgentPart } from "@harness/protocol";
import type { ModelEvent } from "../ports/provider.ts";
import type { Turn } from "./turn.ts";

type StreamedEvent = Exclude<ModelEvent, { type: "end" | "failed" }>;

/** Sends on what a reply brings while it comes in, and keeps it in case nothing better follows. */
export class ReplyStream {
  readonly #turn: Turn;
  readonly #messageId: string;
  #text = "";
  #thinking = "";
  readonly #inputLengths = new Map<string, number>();
  #closed = false;

  constructor(turn: Turn, messageId: string) {
    this.#turn = turn;
    this.#messageId = messageId;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Nothing that comes later is shown. */
  close(): void {
    this.#closed = true;
  }

  take(event: StreamedEvent): void {
    const messageId = this.#messageId;
    switch (event.type) {
      case "text":
        if (event.text === "") return;
        this.#turn.delta({
          sessionUpdate: "agent_message_chunk",
          messageId,
          offset: this.#text.length,
          text: event.text,
        });
        this.#text += event.text;
        return;
      case "thinking":
        if (event.text === "") return;
        this.#turn.delta({
          sessionUpdate: "agent_thought_chunk",
          messageId,
          offset: this.#thinking.length,
          text: event.text,
        });
        this.#thinking += event.text;
        return;
      case "tool_input":
        this.#takeInput(event.toolCallId, event.name, event.text);
        return;
      case "retry":
        this.#startAnew(event);
        return;
    }
  }

  /** What people have seen so far: text and thoughts. Calls of a broken stream are never kept. */
  parts(): AgentPart[] {
    return [
      ...(this.#thinking === "" ? [] : [{ type: "thinking" as const, text: this.#thinking }]),
      ...(this.#text === "" ? [] : [{ type: "text" as const, text: this.#text }]),
    ];
  }

  #takeInput(toolCallId: string, name: string, text: string): void {
    const offset = this.#inputLengths.get(toolCallId) ?? 0;
    this.#inputLengths.set(toolCallId, offset + text.length);
    this.#turn.delta({ sessionUpdate: "tool_input_chunk", messageId: this.#messageId, toolCallId, name, offset, text });
  }

  #startAnew({ attempt, maxAttempts, delayMs, failure }: Extract<ModelEvent, { type: "retry" }>): void {
    this.#text = "";
    this.#thinking = "";
    this.#inputLengths.clear();
    const messageId = this.#messageId;
    this.#turn.record({ sessionUpdate: "retry", messageId, attempt, maxAttempts, delayMs, error: failure });
  }
}

import { type AgentPart, textOf, type UpdateOf } from "@harness/protocol";
import type { UpdateWriter } from "../peer/update-writer.ts";

type TextChunk = UpdateOf<"agent_message_chunk"> | UpdateOf<"agent_thought_chunk">;
/** The text of a reply that the client has; `shownId`: what the client knows the message by. */
type ShownReply = { messageId: string; shownId: string; text: string; thinking: string };

/**
 * Sends the text of replies as it comes. Text that was sent cannot be taken back: where a request is repeated, the new
 * reply is another message.
 */
export class ReplyPublisher {
  readonly #writer: UpdateWriter;
  #shown: ShownReply | undefined;
  #attempts = 0;

  constructor(writer: UpdateWriter) {
    this.#writer = writer;
  }

  chunk({ sessionUpdate, messageId, offset, text }: TextChunk): void {
    const shown = this.#of(messageId);
    const field = sessionUpdate === "agent_message_chunk" ? "text" : "thinking";
    const have = shown[field].length;
    // A gap is filled by the whole reply.
    if (offset <= have) this.#add(shown, field, text.slice(have - offset));
  }

  /** The reply is whole: sends what is missing of it. */
  whole(messageId: string, parts: readonly AgentPart[]): void {
    const shown = this.#of(messageId);
    const thinking = parts.map((part) => (part.type === "thinking" ? part.text : "")).join("");
    this.#complete(shown, "thinking", thinking);
    this.#complete(shown, "text", textOf(parts));
    this.#shown = undefined;
  }

  /** The text that was sent of this reply is void. */
  void({ messageId, error }: UpdateOf<"retry">): void {
    const shown = this.#shown;
    if (shown?.messageId !== messageId || shown.text + shown.thinking === "") return;
    this.#attempts += 1;
    const id = `${messageId}-${this.#attempts}`;
    this.#shown = { messageId, shownId: id, text: "", thinking: "" };
    this.#writer.notice("warning", {
      id: `${id}-notice`,
      title: "The reply broke off; it begins again.",
      description: error.message,
    });
  }

  #of(messageId: string): ShownReply {
    if (this.#shown?.messageId !== messageId) this.#shown = { messageId, shownId: messageId, text: "", thinking: "" };
    return this.#shown;
  }

  #complete(shown: ShownReply, field: "text" | "thinking", whole: string): void {
    const have = shown[field];
    if (whole.startsWith(have)) this.#add(shown, field, whole.slice(have.length));
    // The text was corrected: a call in it became a call, or thoughts were taken out.
    else if (!have.startsWith(whole.trimEnd())) {
      shown.shownId = `${shown.messageId}-whole`;
      this.#add(shown, field, whole);
    }
  }

  #add(shown: ShownReply, field: "text" | "thinking", text: string): void {
    shown[field] += text;
    if (field === "text") this.#writer.text(text, shown.shownId);
    else this.#writer.thought(text, shown.shownId);
  }
}

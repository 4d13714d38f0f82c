import { ROOT_AGENT, type SessionUpdate, textOf, type UpdateView } from "@harness/protocol";
import { terminalText } from "../text/terminal-text.ts";

/** May begin a terminal escape sequence, or is half of a character. */
const held = /(?![\n\t])\p{Cc}|\p{Cs}$/u;
/** A line with an unterminated sequence is not held longer; in characters. */
const MAX_HELD = 65_536;

/**
 * The answers of the main agent as they arrive, each on its own lines. A line with terminal escape sequences is written
 * once it is complete, because only then can they be removed.
 */
export class AnswerStream implements UpdateView {
  readonly #write: (text: string) => void;
  #messageId: string | undefined;
  /** All text of the running message, and the part of it that is not written yet. */
  #pieces: string[] = [];
  #pending = "";
  #length = 0;
  #isFirst = true;
  #isMidLine = false;
  #last: string | undefined;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** True if this is the last message, and all of it has been written. */
  hasWritten(message: string): boolean {
    return this.#last === message;
  }

  see({ agentId, update }: SessionUpdate): void {
    if (agentId !== ROOT_AGENT) return;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        if (update.messageId !== this.#messageId) this.#begin(update.messageId);
        // The missing text in between arrives with the whole message.
        if (update.offset !== this.#length) return;
        this.#add(update.text);
        return;
      case "agent_message":
        if (update.fromFile) return;
        if (update.messageId !== this.#messageId) this.#begin(update.messageId);
        this.#complete(textOf(update.parts));
        return;
      case "retry":
        // The text so far is void; what was written stays.
        this.#begin(undefined);
        return;
      default:
        return;
    }
  }

  /** Other output begins on a new line. */
  breakLine(): void {
    if (this.#isMidLine) this.#put("\n");
  }

  #begin(messageId: string | undefined): void {
    this.breakLine();
    this.#messageId = messageId;
    this.#pieces = [];
    this.#pending = "";
    this.#length = 0;
    this.#last = undefined;
  }

  #add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
    this.#pending += text;
    const at = this.#pending.search(held);
    const end = at < 0 || this.#pending.length > MAX_HELD ? this.#pending.length : lineEnd(this.#pending, at);
    this.#show(this.#pending.slice(0, end));
  }

  /** Writes text from the beginning of what is pending. Space before the first word waits for it. */
  #show(text: string): void {
    const hasBegun = this.#length > this.#pending.length;
    if (!hasBegun && text.trim() === "") return;
    this.#pending = this.#pending.slice(text.length);
    if (!hasBegun && !this.#isFirst) this.#write("\n");
    this.#isFirst = false;
    this.#put(terminalText(text));
  }

  #complete(message: string): void {
    const streamed = this.#pieces.join("");
    const written = this.#length - this.#pending.length;
    // A call that the reply contained as text is not part of the message.
    const isSame = message.startsWith(streamed) || streamed.startsWith(message.trimEnd());
    if (!isSame) this.#begin(undefined);
    this.#pending = isSame ? message.slice(written) : message;
    this.#length = message.length;
    this.#show(this.#pending);
    this.#begin(undefined);
    this.#last = message;
  }

  #put(text: string): void {
    if (text === "") return;
    this.#write(text);
    this.#isMidLine = !text.endsWith("\n");
  }
}

/** The end of the last complete line before `at`, or of the one after it: sequences do not span lines. */
function lineEnd(text: string, at: number): number {
  const last = text.lastIndexOf("\n");
  return last > at ? last + 1 : at;
}

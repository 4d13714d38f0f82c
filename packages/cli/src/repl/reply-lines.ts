import { type SessionUpdate, textOf, type UpdateView } from "@harness/protocol";

/** The streamed replies of an agent, passed on in whole lines: a screen reader should not read half a line. */
export class ReplyLines implements UpdateView {
  #messageId: string | undefined;
  #text = "";
  #given = 0;

  /** The lines that an update completes. */
  see({ update }: SessionUpdate): string[] {
    if (update.sessionUpdate === "agent_message_chunk") {
      if (update.messageId !== this.#messageId) this.#begin(update.messageId);
      this.#text = this.#text.slice(0, update.offset) + update.text;
      return this.#complete(this.#text.lastIndexOf("\n"));
    }
    if ("fromFile" in update && update.fromFile) return [];
    if (update.sessionUpdate === "agent_message") {
      if (update.messageId !== this.#messageId) this.#begin(update.messageId);
      this.#text = textOf(update.parts);
      const rest = this.#complete(this.#text.length);
      this.#begin(undefined);
      return rest;
    }
    if (update.sessionUpdate === "state_update" && update.output) return [update.output.trimEnd()];
    // The text so far is void; what was printed stays on the screen.
    if (update.sessionUpdate === "retry") this.#begin(undefined);
    return [];
  }

  #begin(messageId: string | undefined): void {
    this.#messageId = messageId;
    this.#text = "";
    this.#given = 0;
  }

  /** Empty lines wait for what follows: they count within a text, but not at its ends. */
  #complete(end: number): string[] {
    if (end < this.#given) return [];
    const text = this.#text.slice(this.#given, end).trimEnd();
    if (text === "") return [];
    const isFirst = this.#given === 0;
    const next = this.#text.indexOf("\n", this.#given + text.length);
    this.#given = next < 0 ? end + 1 : next + 1;
    return [isFirst ? text.replace(/^(?:[ \t]*\n)+/, "") : text];
  }
}

import { hash } from "node:crypto";
import type { ModelMessage } from "@harness/core";

const LENGTH = 12;

/** Short hashes of messages as the loop sends them. */
export class MessageMarks {
  /** The same message object means the same text. */
  readonly #known = new WeakMap<ModelMessage, string>();

  of(messages: readonly ModelMessage[]): string[] {
    return messages.map((message) => {
      const known = this.#known.get(message);
      if (known !== undefined) return known;
      const mark = hash("sha256", JSON.stringify(message)).slice(0, LENGTH);
      this.#known.set(message, mark);
      return mark;
    });
  }
}

// A message that would be too long for one line is sent as several lines, each with a part of its JSON text.
import { type ProtocolError, protocolError } from "../vocabulary/errors.ts";

/** The method of a line that holds a part: `{ index, count, text }`. The parts of a message are consecutive. */
export const PART_METHOD = "$/part";

/** Longer texts are sent in parts; in UTF-16 units, each at most three bytes. */
const MAX_WHOLE_LENGTH = 2 * 1024 * 1024;
/** Within a line the text of a part may double: each quote and backslash is escaped. */
const PART_LENGTH = 1024 * 1024;

/** The lines of a long message; each is created on demand. */
type MessageChunks = { readonly count: number; line(index: number): string };

/** Undefined for a message whose JSON text is short enough for one line. */
export function partsOf(text: string): MessageChunks | undefined {
  if (text.length <= MAX_WHOLE_LENGTH) return undefined;
  const cuts = [0];
  for (let at = 0; at < text.length; cuts.push(at)) at = cutBefore(text, at + PART_LENGTH);
  const count = cuts.length - 1;
  return {
    count,
    line(index) {
      const params = { index, count, text: text.slice(cuts[index], cuts[index + 1]) };
      return JSON.stringify({ jsonrpc: "2.0", method: PART_METHOD, params });
    },
  };
}

/** Never splits a surrogate pair: a lone surrogate cannot be encoded in UTF-8. */
function cutBefore(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

/** Joins the parts of one message after another. */
export class JoinedText {
  readonly #maxLength: number;
  #parts: string[] = [];
  #length = 0;
  /** The rest of a refused message is skipped. */
  #isSkipping = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The text of the message once its last part has arrived; an error for anything that is not a part, or too long. */
  take(params: unknown): { text: string } | { error: ProtocolError } | undefined {
    const { index, count, text } = (params ?? {}) as { index?: unknown; count?: unknown; text?: unknown };
    if (typeof text !== "string" || typeof count !== "number") return this.#refuse("A part is { index, count, text }.");
    if (index === 0) this.#clear();
    if (this.#isSkipping) return undefined;
    if (index !== this.#parts.length) return this.#refuse("The parts of a message follow each other, from index 0.");
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length > this.#maxLength) return this.#refuse(`The parts are longer than ${this.#maxLength} in total.`);
    if (index + 1 < count) return undefined;
    const whole = this.#parts.join("");
    this.#clear();
    return { text: whole };
  }

  #refuse(message: string): { error: ProtocolError } {
    const isTooLarge = this.#length > this.#maxLength;
    this.#clear();
    this.#isSkipping = true;
    const reason = isTooLarge
      ? ({ reason: "too_large", maxBytes: this.#maxLength } as const)
      : ({ reason: "malformed" } as const);
    return { error: protocolError("invalid_request", message, reason) };
  }

  #clear(): void {
    this.#parts = [];
    this.#length = 0;
    this.#isSkipping = false;
  }
}

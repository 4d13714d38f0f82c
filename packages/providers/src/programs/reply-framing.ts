import { asRecord, asText, parseJson } from "../json/lenient-json.ts";
import type { WireName } from "../wires/endpoint/vendor.ts";
import { DocumentFraming, type Framing, NdjsonFraming, SseFraming, type StreamEvent } from "../wires/sse/framing.ts";

/** A first line that is longer is taken for the whole of a document. */
const MAX_FIRST_LINE = 16 * 1024 * 1024;
/** Blanks, and the bytes of a byte order mark. */
const NOTHING: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
const BEGINS_JSON: ReadonlySet<number> = new Set([0x7b, 0x5b]);

/** Finds out by its beginning how a reply is written: server-sent events, a document a line, or one document. */
export class ReplyFraming implements Framing {
  readonly #held: Uint8Array[] = [];
  #heldBytes = 0;
  #isJson = false;
  #framing: Framing | undefined;

  push(bytes: Uint8Array): StreamEvent[] {
    if (this.#framing) return this.#framing.push(bytes);
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    this.#framing = this.#decide(bytes);
    return this.#framing?.push(Buffer.concat(this.#held.splice(0))) ?? [];
  }

  end(): StreamEvent[] {
    if (this.#framing) return this.#framing.end();
    const framing = new DocumentFraming();
    return [...framing.push(Buffer.concat(this.#held.splice(0))), ...framing.end()];
  }

  /** Checks the buffered text only when a line may have become complete. */
  #decide(latest: Uint8Array): Framing | undefined {
    if (!this.#isJson) {
      const first = latest.find((byte) => !NOTHING.has(byte));
      if (first === undefined) return undefined;
      if (!BEGINS_JSON.has(first)) return new SseFraming();
      this.#isJson = true;
    }
    if (this.#heldBytes > MAX_FIRST_LINE) return new DocumentFraming();
    if (!latest.includes(0x0a)) return undefined;
    const text = Buffer.concat(this.#held).toString("utf8").trimStart();
    const lineEnd = text.indexOf("\n");
    if (lineEnd < 0) return undefined;
    return parseJson(text.slice(0, lineEnd)).ok ? new NdjsonFraming() : new DocumentFraming();
  }
}

/** The format that an event, or a whole reply, is written in; undefined when it does not show. */
export function formatOf(value: unknown): WireName | undefined {
  const event = asRecord(value);
  const type = asText(event.type);
  if (type.startsWith("response.") || event.object === "response") return "openai-responses";
  if (/^(message|content_block)(_|$)/.test(type) || type === "ping") return "anthropic";
  if (Array.isArray(event.choices)) return "openai-chat";
  if (typeof event.done === "boolean") return "ollama";
  return undefined;
}

import * as z from "zod";

/** One event of an SSE stream, or one line of NDJSON, before it is encoded. */
export interface StreamFrame {
  /** JSON, or `[DONE]`. */
  data: string;
  /** `delta`: part of the message; `closing`: finish reason, usage and end marker. */
  part: "delta" | "closing";
  /** Pause before it, on the schedule of the whole stream (a late frame does not delay those after it). */
  delayMs: number;
  /** An SSE `event:` name. */
  event?: string;
  /** May share one write with its neighbours: for bulk output, where a write per token would measure the server. */
  bulk?: boolean;
}

/** Legal peculiarities of a stream: the turn arrives completely, so it is used up as usual (faults.md rows 7–9, 16). */
export const odditiesSchema = z.strictObject({
  /** Line ends `\r\n`. */
  crlf: z.boolean().optional(),
  /** `data:{…}` instead of `data: {…}`. */
  noSpace: z.boolean().optional(),
  /** A comment line `: ping` before each event; with Anthropic an event `ping`. */
  pings: z.boolean().optional(),
  /** A byte order mark before the first byte. */
  bom: z.boolean().optional(),
  /** Each write contains this many bytes: splits UTF-8 and line ends anywhere. */
  splitBytes: z.int().min(1).max(7).optional(),
  /** JSON spread over two `data:` lines. */
  multiLine: z.boolean().optional(),
  /** An event with an unknown name and an unknown object. */
  unknownEvents: z.boolean().optional(),
  /** A chunk with `choices: []` at the start, as content filters send it. */
  emptyChoices: z.boolean().optional(),
  /** `content: null` where a string is expected. */
  nullContent: z.boolean().optional(),
  /** No `[DONE]` after a regular finish reason. */
  noDone: z.boolean().optional(),
  /** Chat: every call has index 0, or none. */
  callIndex: z.enum(["zero", "none"]).optional(),
  /** Anthropic: a call without arguments has no delta for its input, or an empty one. */
  emptyInput: z.boolean().optional(),
  /** Responses: reasoning is sent in plain text, as models with open weights do, not as a summary. */
  reasoningText: z.boolean().optional(),
  /** Responses: a stream error is sent as `response.failed`, not as `error`. */
  failedEvent: z.boolean().optional(),
  /** The field that carries thinking, if it is not the flavour's own. */
  thinkingField: z.enum(["reasoning_content", "reasoning"]).optional(),
});

export type Oddities = z.infer<typeof odditiesSchema>;

export type FrameEncoder = (frame: StreamFrame) => Buffer;

/**
 * Server-sent events as in the HTML standard, section 9.2. A bulk frame is one object sent many times: encoded once.
 */
export function sseEncoder(oddities: Oddities, pingEvent = ": ping\n\n"): FrameEncoder {
  const newline = oddities.crlf ? "\r\n" : "\n";
  const field = oddities.noSpace ? "data:" : "data: ";
  const ping = oddities.pings ? pingEvent.replaceAll("\n", newline) : "";
  return remembering((frame) => {
    const name = frame.event === undefined ? "" : `event: ${frame.event}${newline}`;
    const data =
      oddities.multiLine && frame.data.startsWith("{")
        ? `${field}{${newline}${field}${frame.data.slice(1)}`
        : `${field}${frame.data}`;
    return Buffer.from(`${ping}${name}${data}${newline}${newline}`);
  });
}

/** One JSON object per line. Comments and event names do not exist in this format. */
export function ndjsonEncoder(oddities: Oddities): FrameEncoder {
  const newline = oddities.crlf ? "\r\n" : "\n";
  return remembering((frame) => Buffer.from(`${frame.data}${newline}`));
}

/** A body that is one JSON document. */
export function documentEncoder(): FrameEncoder {
  return (frame) => Buffer.from(frame.data);
}

function remembering(encode: FrameEncoder): FrameEncoder {
  const known = new WeakMap<StreamFrame, Buffer>();
  return (frame) => {
    if (!frame.bulk) return encode(frame);
    const before = known.get(frame);
    if (before !== undefined) return before;
    const bytes = encode(frame);
    known.set(frame, bytes);
    return bytes;
  };
}

/** Cuts a text into pieces of `size` characters, never inside a surrogate pair. */
export function* pieces(text: string, size: number): Generator<string> {
  let from = 0;
  while (from < text.length) {
    let to = Math.min(from + size, text.length);
    const last = text.charCodeAt(to - 1);
    const next = text.charCodeAt(to);
    if (last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}

import { createParser } from "eventsource-parser";
import { tryParseJson } from "../../json/lenient-json.ts";
import { TooLongError } from "../reply/too-long.ts";

/** One event of a stream. `lines` are the pieces of its data, joined with line feeds if there are several. */
export type StreamEvent = { lines: string[]; name?: string };

/** Bytes in, whole events out; it does not matter how the bytes are split. */
export interface Framing {
  push(bytes: Uint8Array): StreamEvent[];
  /** The remaining events at the end of the stream. */
  end(): StreamEvent[];
}

/** An endless line would otherwise fill the memory. */
const MAX_LINE = 64 * 1024 * 1024;

/** Server-sent events, parsed by `eventsource-parser`: text in pieces of any size in, whole events out. */
class EventParser {
  #events: StreamEvent[] = [];
  #isTooLong = false;
  readonly #parser = createParser({
    maxBufferSize: MAX_LINE,
    onEvent: ({ data, event: name }) => {
      if (data === "") return;
      const lines = data.includes("\n") ? data.split("\n") : [data];
      this.#events.push(name === undefined ? { lines } : { lines, name });
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") this.#isTooLong = true;
    },
  });

  read(text: string): StreamEvent[] {
    this.#parser.feed(text);
    if (this.#isTooLong) throw new TooLongError("a line", MAX_LINE);
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

export class SseFraming implements Framing {
  /** Joins characters that are split between pieces, and drops a byte order mark. */
  readonly #decoder = new TextDecoder();
  readonly #parser = new EventParser();

  push(bytes: Uint8Array): StreamEvent[] {
    return this.#parser.read(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Some servers omit the last empty line. */
  end(): StreamEvent[] {
    return this.#parser.read(`${this.#decoder.decode()}\n\n`);
  }
}

/** Splits UTF-8 into lines at `\n` or `\r\n`. Each byte is examined once, however small the pieces are. */
class LineSplitter {
  readonly #decoder = new TextDecoder();
  #rest = "";

  push(bytes: Uint8Array): string[] {
    return this.#split(this.#decoder.decode(bytes, { stream: true }));
  }

  end(): string[] {
    const lines = this.#split(this.#decoder.decode());
    if (this.#rest !== "") lines.push(this.#rest);
    this.#rest = "";
    return lines;
  }

  #split(text: string): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      const line = this.#rest + text.slice(from, at);
      this.#rest = "";
      lines.push(line.endsWith("\r") ? line.slice(0, -1) : line);
      from = at + 1;
    }
    this.#rest += text.slice(from);
    if (this.#rest.length > MAX_LINE) throw new TooLongError("a line", MAX_LINE);
    return lines;
  }
}

/**
 * A body of unknown format: a single JSON document, from servers that do not stream, one document per line, or
 * server-sent events. Its first line decides, and a stream is read as it arrives.
 */
export class DocumentFraming implements Framing {
  readonly #splitter = new LineSplitter();
  /** Lines of a document that spans several. */
  readonly #lines: string[] = [];
  #stream: ((lines: readonly string[]) => StreamEvent[]) | undefined;

  push(bytes: Uint8Array): StreamEvent[] {
    return this.#read(this.#splitter.push(bytes));
  }

  end(): StreamEvent[] {
    const events = this.#read(this.#splitter.end());
    if (this.#stream) events.push(...this.#stream([""]));
    return this.#lines.length > 0 ? [...events, { lines: this.#lines }] : events;
  }

  #read(lines: readonly string[]): StreamEvent[] {
    if (this.#stream) return this.#stream(lines);
    for (const [index, line] of lines.entries()) {
      if (this.#lines.length === 0 && isNotBlank(line)) this.#stream = streamBeginningWith(line);
      if (this.#stream) return this.#stream(lines.slice(index));
      if (isNotBlank(line)) this.#lines.push(line);
    }
    return [];
  }
}

function streamBeginningWith(line: string): ((lines: readonly string[]) => StreamEvent[]) | undefined {
  if (!/^\s*[{[]/.test(line)) {
    const parser = new EventParser();
    return (lines) => parser.read(lines.map((each) => `${each}\n`).join(""));
  }
  // A first line that is not valid JSON by itself begins a longer document.
  return tryParseJson(line).ok ? (lines) => lines.filter(isNotBlank).map(toEvent) : undefined;
}

function isNotBlank(line: string): boolean {
  return line.trim() !== "";
}

function toEvent(line: string): StreamEvent {
  return { lines: [line] };
}

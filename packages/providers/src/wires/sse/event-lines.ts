import { parseJson } from "../../json/lenient-json.ts";

/** One event of a stream. `lines` are the pieces of its data, joined by a line end when there are several. */
export type StreamEvent = { lines: string[]; name?: string };

/** Bytes in, whole events out; how the bytes are cut makes no difference. */
export interface Framing {
  push(bytes: Uint8Array): StreamEvent[];
  /** What is left when the stream is over. */
  end(): StreamEvent[];
}

/** A line that never ends would otherwise fill the memory. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Cuts UTF-8 into lines at `\n` or `\r\n`. Each byte is looked at once, however small the pieces are. */
class LineSplitter {
  /** Joins characters that are split between pieces, and drops a byte order mark. */
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
    if (this.#rest.length > LONGEST_LINE) throw new RangeError("A line of the stream has more than 64 MB.");
    return lines;
  }
}

/** Server-sent events, HTML standard section 9.2: `data` and `event` count, comments and other fields do not. */
export class SseFraming implements Framing {
  readonly #splitter = new LineSplitter();
  readonly #events = new EventLines();

  push(bytes: Uint8Array): StreamEvent[] {
    return this.#events.read(this.#splitter.push(bytes));
  }

  /** Some servers leave out the last empty line. */
  end(): StreamEvent[] {
    return this.#events.read([...this.#splitter.end(), ""]);
  }
}

/** The lines of server-sent events, put together. */
class EventLines {
  #event: StreamEvent = { lines: [] };

  read(lines: readonly string[]): StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const line of lines) {
      if (line === "") {
        if (this.#event.lines.length > 0) events.push(this.#event);
        this.#event = { lines: [] };
      } else if (line.startsWith("data:")) {
        this.#event.lines.push(line.slice(line.charCodeAt(5) === 32 ? 6 : 5));
      } else if (line.startsWith("event:")) {
        this.#event.name = line.slice(6).trim();
      }
    }
    return events;
  }
}

/** One JSON document a line. */
export class NdjsonFraming implements Framing {
  readonly #splitter = new LineSplitter();

  push(bytes: Uint8Array): StreamEvent[] {
    return this.#splitter.push(bytes).filter(isNotBlank).map(toEvent);
  }

  end(): StreamEvent[] {
    return this.#splitter.end().filter(isNotBlank).map(toEvent);
  }
}

/**
 * The whole body is one JSON document, as servers send it that do not stream. Some call a stream by that name: its first
 * line shows it, and it is read as it comes.
 */
export class DocumentFraming implements Framing {
  readonly #splitter = new LineSplitter();
  /** Of a document that has more than one line. */
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
      if (this.#lines.length === 0 && isNotBlank(line)) this.#stream = streamThatBegins(line);
      if (this.#stream) return this.#stream(lines.slice(index));
      if (isNotBlank(line)) this.#lines.push(line);
    }
    return [];
  }
}

function streamThatBegins(line: string): ((lines: readonly string[]) => StreamEvent[]) | undefined {
  if (SSE_BEGINS.test(line)) {
    const events = new EventLines();
    return (lines) => events.read(lines);
  }
  // A document that goes on after this line does not fit into it.
  return parseJson(line).ok ? (lines) => lines.filter(isNotBlank).map(toEvent) : undefined;
}

const SSE_BEGINS = /^(data|event|id|retry)?:/;

function isNotBlank(line: string): boolean {
  return line.trim() !== "";
}

function toEvent(line: string): StreamEvent {
  return { lines: [line] };
}

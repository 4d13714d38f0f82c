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
  #event: StreamEvent = { lines: [] };

  push(bytes: Uint8Array): StreamEvent[] {
    return this.#read(this.#splitter.push(bytes));
  }

  /** Some servers leave out the last empty line. */
  end(): StreamEvent[] {
    return this.#read([...this.#splitter.end(), ""]);
  }

  #read(lines: string[]): StreamEvent[] {
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

/** The whole body is one JSON document, as servers send it that do not stream. */
export class DocumentFraming implements Framing {
  readonly #splitter = new LineSplitter();
  readonly #lines: string[] = [];

  push(bytes: Uint8Array): StreamEvent[] {
    this.#lines.push(...this.#splitter.push(bytes));
    return [];
  }

  end(): StreamEvent[] {
    this.#lines.push(...this.#splitter.end());
    return this.#lines.length > 0 ? [{ lines: [this.#lines.join("\n")] }] : [];
  }
}

function isNotBlank(line: string): boolean {
  return line.trim() !== "";
}

function toEvent(line: string): StreamEvent {
  return { lines: [line] };
}

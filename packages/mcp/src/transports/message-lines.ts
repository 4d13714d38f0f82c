/** Enough to find a message's id at its beginning or end. */
const EDGE_BYTES = 512;
const LINE_END = 10;

/** The edges of a line that was too long to keep. */
export type OversizedLine = { head: string; tail: string; bytes: number };

export type LineListener = { onLine(line: string): void; onOversized(line: OversizedLine): void };

/** Splits a byte stream into lines; of an oversized line, only the edges are kept. */
export class MessageLines {
  readonly #maxBytes: number;
  readonly #listener: LineListener;
  #pieces: Buffer[] = [];
  #edges: { head: Buffer; tail: Buffer } | undefined;
  #bytes = 0;

  constructor(maxBytes: number, listener: LineListener) {
    this.#maxBytes = maxBytes;
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
      this.#take(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
  }

  #take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= this.#maxBytes) {
      // Copied, because the piece would keep the whole chunk in memory.
      this.#pieces.push(Buffer.from(piece));
      return;
    }
    this.#edges ??= this.#edgesSoFar(piece);
    this.#edges.tail = Buffer.concat([this.#edges.tail, piece.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
  }

  #edgesSoFar(piece: Buffer): { head: Buffer; tail: Buffer } {
    const known = Buffer.concat(this.#pieces);
    this.#pieces = [];
    const head = Buffer.concat([known.subarray(0, EDGE_BYTES), piece.subarray(0, EDGE_BYTES)]).subarray(0, EDGE_BYTES);
    return { head, tail: Buffer.from(known.subarray(-EDGE_BYTES)) };
  }

  #finish(): void {
    const { onLine, onOversized } = this.#listener;
    const [pieces, edges, bytes] = [this.#pieces, this.#edges, this.#bytes];
    this.#pieces = [];
    this.#edges = undefined;
    this.#bytes = 0;
    if (edges) onOversized({ head: edges.head.toString("utf8"), tail: edges.tail.toString("utf8"), bytes });
    else onLine(Buffer.concat(pieces).toString("utf8"));
  }
}

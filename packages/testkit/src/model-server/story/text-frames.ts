import { type Frame, pieces } from "./frame.ts";
import { type Reply, wordsOf } from "./reply.ts";

/** The writing of one piece of a kind, as the JSON of an event. */
export type PieceWriter = (piece: string) => string;

/** A text as events of the reply's chunk size and pace. */
export function* pieceFrames(text: string, reply: Reply, write: PieceWriter): Generator<Frame> {
  for (const piece of pieces(text, reply.chunkSize)) {
    yield { data: write(piece), part: "delta", delayMs: reply.chunkDelayMs };
  }
}

/** Bulk text. The frames of a word are one object, so that its bytes are made once, however many are sent. */
export function* generatedFrames(reply: Reply, write: PieceWriter, event?: string): Generator<Frame> {
  const { generate } = reply;
  if (generate === undefined) return;
  const delayMs = generate.rate === 0 ? 0 : 1000 / generate.rate;
  const named = event === undefined ? {} : { event };
  const frames = wordsOf(generate).map(
    (word): Frame => ({ data: write(word), part: "delta", delayMs, bulk: true, ...named }),
  );
  for (let sent = 0; sent < generate.tokens; sent += 1) {
    const frame = frames[sent % frames.length];
    if (frame !== undefined) yield frame;
  }
}

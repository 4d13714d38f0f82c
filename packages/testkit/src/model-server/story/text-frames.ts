import { pieces, type StreamFrame } from "./frame.ts";
import { generatedWords, type ScriptedReply } from "./reply.ts";

/** Serializes one piece of a kind as the JSON of an event. */
export type PieceWriter = (piece: string) => string;

/** A text as events in the reply's chunk size and pace. */
export function* pieceFrames(text: string, reply: ScriptedReply, write: PieceWriter): Generator<StreamFrame> {
  for (const piece of pieces(text, reply.chunkSize)) {
    yield { data: write(piece), part: "delta", delayMs: reply.chunkDelayMs };
  }
}

/** Bulk text. The frames of a word are one object, so that it is encoded once, however many are sent. */
export function* generatedFrames(reply: ScriptedReply, write: PieceWriter, event?: string): Generator<StreamFrame> {
  const { generate } = reply;
  if (generate === undefined) return;
  const delayMs = generate.rate === 0 ? 0 : 1000 / generate.rate;
  const named = event === undefined ? {} : { event };
  const frames = generatedWords(generate).map(
    (word): StreamFrame => ({ data: write(word), part: "delta", delayMs, bulk: true, ...named }),
  );
  for (let sent = 0; sent < generate.tokens; sent += 1) {
    const frame = frames[sent % frames.length];
    if (frame !== undefined) yield frame;
  }
}

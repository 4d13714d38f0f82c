import { createLineFold } from "../process/line-fold.ts";
import type { OutputFile } from "./output-file.ts";

const PIECE_BYTES = 256 * 1024;

/** The end of an output. `offset`: the first byte considered; `omitted`: the bytes after it that are left out. */
export type LastPart = { bytes: Buffer; offset: number; nextOffset: number; omitted: number };

/**
 * The last bytes printed since `from`. Lines that overwrite themselves are folded before cutting, so that a progress
 * bar pushes nothing out.
 */
export function lastPart(output: OutputFile, from: number, maxBytes: number): LastPart {
  let pieces: Buffer[] = [];
  let length = 0;
  let omitted = 0;
  const shorten = () => {
    const all = Buffer.concat(pieces);
    const last = all.subarray(-maxBytes);
    omitted += all.length - last.length;
    pieces = [last];
    length = last.length;
  };
  const fold = createLineFold((bytes) => {
    pieces.push(bytes);
    length += bytes.length;
    if (length > PIECE_BYTES) shorten();
  });
  const { end } = output;
  let part = output.read(from, PIECE_BYTES);
  const { offset } = part;
  // Output printed in the meantime is part of the next look.
  for (; part.bytes.length > 0; part = output.read(part.nextOffset, PIECE_BYTES)) {
    fold.push(part.bytes);
    if (part.nextOffset >= end) break;
  }
  fold.end();
  shorten();
  return { bytes: Buffer.concat(pieces), offset, nextOffset: part.nextOffset, omitted };
}

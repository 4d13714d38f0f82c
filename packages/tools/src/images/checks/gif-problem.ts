import { DAMAGED, INCOMPLETE } from "./damage.ts";

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;
const MAX_CODE_BITS = 11;

/** The problem with the blocks of a GIF: there must be a picture, and all blocks must be complete. */
export function gifProblem(bytes: Buffer): string | undefined {
  if (bytes.length < 13) return INCOMPLETE;
  let at = 13 + colourTable(bytes[10] ?? 0);
  let hasPicture = false;
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === TRAILER) return hasPicture ? undefined : DAMAGED;
    if (kind === EXTENSION) {
      at = endOfBlocks(bytes, at + 2);
    } else if (kind === IMAGE) {
      if (at + 11 > bytes.length) return INCOMPLETE;
      const isEmpty = bytes.readUInt16LE(at + 5) === 0 || bytes.readUInt16LE(at + 7) === 0;
      const data = at + 10 + colourTable(bytes[at + 9] ?? 0);
      const codeBits = bytes[data] ?? 0;
      if (isEmpty || codeBits > MAX_CODE_BITS || bytes[data + 1] === 0) return DAMAGED;
      at = endOfBlocks(bytes, data + 1);
      hasPicture = true;
    } else return DAMAGED;
  }
  // Old files end without the mark, and every program accepts them.
  return hasPicture && at === bytes.length ? undefined : INCOMPLETE;
}

/** The length of a colour table in bytes. */
function colourTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Blocks begin with their length; an empty one ends them. */
function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

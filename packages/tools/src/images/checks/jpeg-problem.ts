import { DAMAGED, INCOMPLETE } from "./damage.ts";

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const TABLES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);
/** TEM, the restarts and the start of an image are markers without data. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/**
 * The problem with the segments of a JPEG: they must lead from the start through a frame and a scan to the end of the
 * image.
 */
export function jpegProblem(bytes: Buffer): string | undefined {
  let hasFrame = false;
  let hasScan = false;
  for (let at = 2; ; ) {
    if (at + 2 > bytes.length) return INCOMPLETE;
    if (bytes[at] !== 0xff) return DAMAGED;
    const marker = bytes[at + 1] ?? 0;
    // Any number of 0xff may precede a marker.
    if (marker === 0xff || isBare(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker === END_OF_IMAGE) return hasScan ? undefined : DAMAGED;
    if (at + 4 > bytes.length) return INCOMPLETE;
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2) return DAMAGED;
    if (end > bytes.length) return INCOMPLETE;
    if (marker >= 0xc0 && marker <= 0xcf && !TABLES.has(marker)) {
      if (!isFrame(bytes.subarray(at + 4, end))) return DAMAGED;
      hasFrame = true;
    }
    if (marker === START_OF_SCAN && !hasFrame) return DAMAGED;
    at = marker === START_OF_SCAN ? endOfScan(bytes, end) : end;
    if (marker === START_OF_SCAN) {
      if (at === end && at < bytes.length) return DAMAGED;
      hasScan = true;
    }
  }
}

/** Precision, height, width, and three bytes for each component; a height of 0 comes with a later segment. */
function isFrame(frame: Buffer): boolean {
  const components = frame[5] ?? 0;
  return frame.length >= 6 + 3 * components && components > 0 && frame.readUInt16BE(3) > 0;
}

/** The position of the next marker outside the coded pixels. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    const isCoded = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isCoded) return at;
  }
  return bytes.length;
}

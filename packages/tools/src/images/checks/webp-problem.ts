import { DAMAGED, INCOMPLETE } from "./damage.ts";

const HEAD = 12;
const FRAME = 16;
const KEY_FRAME_START = Buffer.from([0x9d, 0x01, 0x2a]);
const LOSSLESS_START = 0x2f;

/** The problem with the chunks of a WebP; https://developers.google.com/speed/webp/docs/riff_container. */
export function webpProblem(bytes: Buffer): string | undefined {
  if (bytes.length < HEAD + 8) return INCOMPLETE;
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return INCOMPLETE;
  const found = pictureIn(bytes.subarray(0, end), HEAD);
  return found === "none" ? DAMAGED : found;
}

/** The problem with the first picture among the chunks; undefined: it is intact. */
function pictureIn(bytes: Buffer, from: number): string | undefined | "none" {
  for (let at = from; at + 8 <= bytes.length; ) {
    const name = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (data.length < length) return INCOMPLETE;
    if (name === "VP8 ") return lossyProblem(data);
    if (name === "VP8L") return data.length > 5 && data[0] === LOSSLESS_START ? undefined : DAMAGED;
    if (name === "ANMF") return pictureIn(data, FRAME);
    // Chunks have an even length.
    at += 8 + length + (length % 2);
  }
  return "none";
}

/** The header of a key frame, with its size, and a first part that lies within the data. */
function lossyProblem(data: Buffer): string | undefined {
  if (data.length < 10) return INCOMPLETE;
  const tag = data.readUIntLE(0, 3);
  const isKeyFrame = (tag & 1) === 0 && data.subarray(3, 6).equals(KEY_FRAME_START);
  const isEmpty = (data.readUInt16LE(6) & 0x3fff) === 0 || (data.readUInt16LE(8) & 0x3fff) === 0;
  if (!isKeyFrame || isEmpty) return DAMAGED;
  return 10 + (tag >>> 5) > data.length ? INCOMPLETE : undefined;
}

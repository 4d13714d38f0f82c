import { isTurned, type Orientation, orientationOf } from "./orientation.ts";

/** The sizes are those of the displayed picture; `orientation` says how to rotate the pixels for that, if necessary. */
export type ImageInfo = {
  format: string;
  mimeType: string;
  widthPx?: number;
  heightPx?: number;
  orientation?: Orientation;
};

/** Recognizes PNG, JPEG, GIF, WebP and BMP by their first bytes, with dimensions; undefined for everything else. */
export function imageInfo(bytes: Buffer): ImageInfo | undefined {
  if (bytes.length < 10) return undefined;
  if (bytes.readUInt32BE(0) === 0x89504e47) return upright(sized("PNG", "image/png", pngSize(bytes)), bytes);
  if (bytes.readUInt16BE(0) === 0xffd8 && bytes[2] === 0xff)
    return upright(sized("JPEG", "image/jpeg", jpegSize(bytes)), bytes);
  const head = bytes.toString("latin1", 0, 16);
  if (/^GIF8[79]a/.test(head)) {
    return sized("GIF", "image/gif", { widthPx: bytes.readUInt16LE(6), heightPx: bytes.readUInt16LE(8) });
  }
  if (/^RIFF.{4}WEBP/s.test(head)) return upright(sized("WebP", "image/webp", webpSize(bytes)), bytes);
  // A text may begin with "BM": the reserved bytes and the size of the second header must fit too.
  if (head.startsWith("BM") && bytes.length >= 26 && bytes.readUInt32LE(6) === 0 && bytes.readUInt32LE(14) <= 124) {
    const size = { widthPx: bytes.readInt32LE(18), heightPx: Math.abs(bytes.readInt32LE(22)) };
    return sized("BMP", "image/bmp", size);
  }
  return undefined;
}

type Size = { widthPx: number; heightPx: number };

function sized(format: string, mimeType: string, size: Size | undefined): ImageInfo {
  return size ? { format, mimeType, ...size } : { format, mimeType };
}

function upright(info: ImageInfo, bytes: Buffer): ImageInfo {
  const orientation = orientationOf(bytes);
  if (orientation === 1) return info;
  const { widthPx, heightPx } = info;
  if (!isTurned(orientation) || widthPx === undefined || heightPx === undefined) return { ...info, orientation };
  return { ...info, orientation, widthPx: heightPx, heightPx: widthPx };
}

function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 24) return undefined;
  return { widthPx: bytes.readUInt32BE(16), heightPx: bytes.readUInt32BE(20) };
}

/** Walks the segments to the frame header (SOF0 to SOF15, without the tables DHT, JPG and DAC). */
function jpegSize(bytes: Buffer): Size | undefined {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { widthPx: bytes.readUInt16BE(at + 7), heightPx: bytes.readUInt16BE(at + 5) };
    }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** The three layouts of https://developers.google.com/speed/webp/docs/riff_container. */
function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined;
  const chunk = bytes.toString("latin1", 12, 16);
  if (chunk === "VP8X") return { widthPx: 1 + bytes.readUIntLE(24, 3), heightPx: 1 + bytes.readUIntLE(27, 3) };
  if (chunk === "VP8 ") {
    return { widthPx: bytes.readUInt16LE(26) & 0x3fff, heightPx: bytes.readUInt16LE(28) & 0x3fff };
  }
  if (chunk !== "VP8L") return undefined;
  const bits = bytes.readUInt32LE(21);
  return { widthPx: 1 + (bits & 0x3fff), heightPx: 1 + ((bits >>> 14) & 0x3fff) };
}

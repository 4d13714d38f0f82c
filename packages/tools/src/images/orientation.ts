/** How to rotate the pixels of a picture upright: 1 not at all, 2 to 8 as defined by EXIF. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const EXIF_HEAD = "Exif\0\0";
const ORIENTATION_TAG = 0x0112;
/** In one directory; real ones have a few dozen. */
const MAX_TAGS = 512;
/** Before the pixels of a picture. */
const MAX_CHUNKS = 1_000;

/** The orientation in the EXIF data of a JPEG, PNG or WebP; 1 if it is missing or unreadable. */
export function orientationOf(bytes: Buffer): Orientation {
  const tiff = exifOf(bytes);
  const found = tiff ? tiffOrientation(tiff) : 1;
  return found >= 1 && found <= 8 ? (found as Orientation) : 1;
}

/** From 5 on, width and height are swapped. */
export function isTurned(orientation: Orientation): boolean {
  return orientation >= 5;
}

/** The new position of a pixel once a picture of these sizes is upright. */
export function uprightPlace(
  orientation: Orientation,
  { x, y }: { x: number; y: number },
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
): { x: number; y: number } {
  const [right, bottom] = [widthPx - 1 - x, heightPx - 1 - y];
  if (orientation === 2) return { x: right, y };
  if (orientation === 3) return { x: right, y: bottom };
  if (orientation === 4) return { x, y: bottom };
  if (orientation === 5) return { x: y, y: x };
  if (orientation === 6) return { x: bottom, y: x };
  if (orientation === 7) return { x: bottom, y: right };
  if (orientation === 8) return { x: y, y: right };
  return { x, y };
}

function exifOf(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 16) return undefined;
  if (bytes.readUInt16BE(0) === 0xffd8) return exifOfJpeg(bytes);
  if (bytes.readUInt32BE(0) === 0x89504e47) return exifOfPng(bytes);
  return bytes.toString("latin1", 0, 4) === "RIFF" ? exifOfWebp(bytes) : undefined;
}

function exifOfJpeg(bytes: Buffer): Buffer | undefined {
  for (let at = 2, count = 0; at + 4 <= bytes.length && bytes[at] === 0xff && count < MAX_CHUNKS; count++) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // The pixels begin.
    if (marker === 0xda) return undefined;
    const length = bytes.readUInt16BE(at + 2);
    const start = at + 4;
    if (marker === 0xe1 && bytes.toString("latin1", start, start + EXIF_HEAD.length) === EXIF_HEAD)
      return bytes.subarray(start + EXIF_HEAD.length, at + 2 + length);
    at += 2 + length;
  }
  return undefined;
}

function exifOfPng(bytes: Buffer): Buffer | undefined {
  for (let at = 8, count = 0; at + 8 <= bytes.length && count < MAX_CHUNKS; count++) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (name === "eXIf") return bytes.subarray(at + 8, at + 8 + length);
    at += 12 + length;
  }
  return undefined;
}

function exifOfWebp(bytes: Buffer): Buffer | undefined {
  for (let at = 12, count = 0; at + 8 <= bytes.length && count < MAX_CHUNKS; count++) {
    const length = bytes.readUInt32LE(at + 4);
    const start = at + 8;
    if (bytes.toString("latin1", at, at + 4) === "EXIF") {
      const hasHead = bytes.toString("latin1", start, start + EXIF_HEAD.length) === EXIF_HEAD;
      return bytes.subarray(start + (hasHead ? EXIF_HEAD.length : 0), start + length);
    }
    // Chunks have an even length.
    at = start + length + (length % 2);
  }
  return undefined;
}

/** The tag in the first directory of a TIFF file, which is the format of EXIF data. */
function tiffOrientation(tiff: Buffer): number {
  if (tiff.length < 8) return 1;
  const order = tiff.toString("latin1", 0, 2);
  if (order !== "II" && order !== "MM") return 1;
  const [u16, u32] =
    order === "II"
      ? [(at: number) => tiff.readUInt16LE(at), (at: number) => tiff.readUInt32LE(at)]
      : [(at: number) => tiff.readUInt16BE(at), (at: number) => tiff.readUInt32BE(at)];
  const directory = u32(4);
  if (u16(2) !== 42 || directory + 2 > tiff.length) return 1;
  const count = Math.min(MAX_TAGS, u16(directory));
  for (let index = 0; index < count; index++) {
    const at = directory + 2 + index * 12;
    if (at + 12 > tiff.length) return 1;
    if (u16(at) === ORIENTATION_TAG) return u16(at + 8);
  }
  return 1;
}

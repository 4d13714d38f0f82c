import { promisify } from "node:util";
import { crc32, inflate } from "node:zlib";
import { DAMAGED, INCOMPLETE } from "./damage.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples per pixel, and the allowed bits per sample, by colour type. */
const colours: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
/** The seven passes of Adam7: where each begins, and the distance of its pixels. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const MAX_FILTER = 4;
/** Larger ones are decoded by the library that scales them down. */
const MAX_INFLATED_BYTES = 64_000_000;

/** The problem with the chunks, the checksums or the pixels of a PNG; https://www.w3.org/TR/png-3/. */
export async function pngProblem(bytes: Buffer): Promise<string | undefined> {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return DAMAGED;
  const data: Buffer[] = [];
  let rows: Rows[] | undefined;
  for (let at = SIGNATURE.length; ; ) {
    if (at + 12 > bytes.length) return INCOMPLETE;
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return INCOMPLETE;
    const name = bytes.toString("latin1", at + 4, at + 8);
    // Programs ignore wrong checksums of ancillary chunks, whose names begin with a lower-case letter.
    const isCritical = /^[A-Z]/.test(name);
    if (isCritical && crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return DAMAGED;
    const content = bytes.subarray(at + 8, end - 4);
    if (!rows) {
      rows = name === "IHDR" && content.length === 13 ? rowsOf(content) : undefined;
      if (!rows) return DAMAGED;
    } else if (name === "IDAT") data.push(content);
    else if (name === "IEND") return await pixelProblem(Buffer.concat(data), rows);
    at = end;
  }
}

type Rows = { count: number; length: number };

/** The rows of each pass, with their length in bytes; undefined: no picture has such a header. */
function rowsOf(header: Buffer): Rows[] | undefined {
  const [widthPx, heightPx] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, type = 0, compression, filter, interlace] = header.subarray(8);
  const colour = colours[type];
  if (widthPx === 0 || heightPx === 0 || !colour?.depths.includes(depth) || compression !== 0 || filter !== 0)
    return undefined;
  if (interlace !== 0 && interlace !== 1) return undefined;
  const layers = interlace === 1 ? passes : ([[0, 0, 1, 1]] as const);
  return layers.flatMap(([left, top, across, down]) => {
    const width = Math.ceil((widthPx - left) / across);
    const count = Math.ceil((heightPx - top) / down);
    return width <= 0 || count <= 0 ? [] : [{ count, length: 1 + Math.ceil((width * colour.samples * depth) / 8) }];
  });
}

async function pixelProblem(data: Buffer, rows: readonly Rows[]): Promise<string | undefined> {
  if (data.length === 0) return INCOMPLETE;
  const expected = rows.reduce((sum, { count, length }) => sum + count * length, 0);
  if (expected > MAX_INFLATED_BYTES) return undefined;
  const inflated = await promisify(inflate)(data, { maxOutputLength: expected }).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  // There may be more data than the pixels, which programs ignore.
  if (inflated === "ERR_BUFFER_TOO_LARGE") return undefined;
  if (!Buffer.isBuffer(inflated)) return inflated === "Z_BUF_ERROR" ? INCOMPLETE : DAMAGED;
  if (inflated.length < expected) return INCOMPLETE;
  let at = 0;
  for (const { count, length } of rows) {
    for (const end = at + count * length; at < end; at += length) {
      if ((inflated[at] ?? 0) > MAX_FILTER) return DAMAGED;
    }
  }
  return undefined;
}

import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

/** More than any text needs. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** The encodings that we accept. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/**
 * Reads the decompressed body, completely or not at all. Its size is measured after decompression, so that small bodies
 * that expand are stopped.
 */
export async function readBody(
  response: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
): Promise<Buffer | { problem: string }> {
  const large = { problem: `it is larger than ${Math.round(maxBytes / 1024 / 1024)} MB` };
  const encoding = String(response.headers["content-encoding"] ?? "identity")
    .trim()
    .toLowerCase();
  const announced = Number(response.headers["content-length"]);
  const unpacked = unpack(response, encoding);
  if (!unpacked) {
    response.destroy();
    return { problem: `it is packed as ${JSON.stringify(encoding.slice(0, 40))}, which was not asked for` };
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    if (announced > maxBytes) return large;
    for await (const piece of unpacked) {
      bytes += piece.length;
      if (bytes > maxBytes) return large;
      pieces.push(piece);
    }
  } finally {
    response.destroy();
    if (unpacked !== response) unpacked.destroy();
  }
  return Buffer.concat(pieces);
}

function unpack(response: IncomingMessage, encoding: string): Readable | undefined {
  if (encoding === "" || encoding === "identity") return response;
  const zlib = process.getBuiltinModule("node:zlib");
  const { pipeline } = process.getBuiltinModule("node:stream");
  const through = {
    gzip: zlib.createGunzip,
    "x-gzip": zlib.createGunzip,
    br: zlib.createBrotliDecompress,
    deflate: zlib.createInflate,
  };
  if (!Object.hasOwn(through, encoding)) return undefined;
  const stream = through[encoding as keyof typeof through]();
  // The reader of the last stream receives the errors of all.
  return pipeline(response, stream, () => undefined);
}

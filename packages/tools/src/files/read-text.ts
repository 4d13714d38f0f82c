import type { FileStamp } from "@harness/core";
import type { OpenFile } from "./open-file.ts";

/** Larger files are read in pages but neither hashed nor counted, so they cannot be edited. */
export const MAX_WHOLE_BYTES = 50 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/**
 * Streams a file's text in pieces, without ever holding all of it. `take` returns true if it needs no more; small files
 * are read to the end anyway, for the stamp. Throws disk errors and the signal's reason.
 */
export async function readText(
  file: OpenFile,
  encoding: string,
  signal: AbortSignal,
  take: (text: string) => boolean,
): Promise<{ stamp?: FileStamp; whole: boolean }> {
  const small = file.sizeBytes <= MAX_WHOLE_BYTES;
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  const decoder = new TextDecoder(encoding);
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, file.sizeBytes + 1));
  let sizeBytes = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, sizeBytes);
    if (bytesRead === 0) break;
    sizeBytes += bytesRead;
    const bytes = buffer.subarray(0, bytesRead);
    if (small) hash.update(bytes);
    const enough = take(decoder.decode(bytes, { stream: true }));
    if (sizeBytes > MAX_WHOLE_BYTES && enough) return { whole: false };
  }
  take(decoder.decode());
  if (!small) return { whole: true };
  return { whole: true, stamp: { sizeBytes, sha256: hash.digest("hex") } };
}

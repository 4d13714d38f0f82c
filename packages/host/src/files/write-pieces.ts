import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { besideOf, nameOnce, removeIfThere, syncFolder } from "./atomic-write.ts";
import { realPathOrSame } from "./real-path.ts";
import { statIfThere } from "./stat-if-there.ts";

/** Written at once; small pieces wait until there are this many. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Writes a private file piece by piece, completely or not at all, and returns its size. Between chunks, other work of
 * the process continues. Rejects with the file system's errors: `EEXIST` if the file exists and `replace` is not set,
 * or if a directory or a device is in its place.
 */
export async function writePieces(
  wanted: string,
  pieces: Iterable<string | Uint8Array>,
  { replace = false }: { replace?: boolean } = {},
): Promise<number> {
  // A pipe has no other name than the one that leads to it.
  if (replace && statIfThere(wanted)?.isFile() === false)
    throw Object.assign(new Error(`${wanted} is not a regular file`), { code: "EEXIST", path: wanted });
  const path = replace ? realPathOrSame(wanted) : wanted;
  const temporary = besideOf(path);
  let bytes = 0;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      for (const chunk of chunksOf(pieces)) {
        await file.writeFile(chunk);
        bytes += chunk.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (replace) await rename(temporary, path);
    else nameOnce(temporary, path);
  } catch (error) {
    // Errors on a descriptor lack the path, which people need.
    if (error instanceof Error && !("path" in error)) Object.assign(error, { path });
    throw error;
  } finally {
    removeIfThere(temporary);
  }
  syncFolder(dirname(path));
  return bytes;
}

function* chunksOf(pieces: Iterable<string | Uint8Array>): Generator<Buffer, void> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const next = typeof piece === "string" ? Buffer.from(piece) : piece;
    waiting.push(next);
    bytes += next.length;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 10;
/** Longer lines are cut: programs that write these files produce none. */
export const MAX_LINE_BYTES = 64 * 1024;

/** Yields the lines of a file from last to first. A final piece without a line end counts as a line. */
export async function* linesFromEnd(path: string): AsyncGenerator<string> {
  // A named pipe in its place must not block us.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error("it is not a regular file");
    let rest = Buffer.alloc(0);
    for (let end = stat.size; end > 0; ) {
      const start = Math.max(0, end - CHUNK_BYTES);
      const text = Buffer.concat([await readPiece(file, start, end), rest]);
      let lineEnd = text.length;
      for (let at = text.lastIndexOf(NEWLINE); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(NEWLINE, at - 1)) {
        yield text.toString("utf8", at + 1, lineEnd);
        lineEnd = at;
      }
      rest = Buffer.from(text.subarray(0, Math.min(lineEnd, MAX_LINE_BYTES)));
      end = start;
    }
    yield rest.toString("utf8");
  } finally {
    await file.close();
  }
}

async function readPiece(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const piece = Buffer.alloc(end - start);
  const { bytesRead } = await file.read(piece, 0, piece.length, start);
  return piece.subarray(0, bytesRead);
}

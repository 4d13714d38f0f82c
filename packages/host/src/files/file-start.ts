import { constants } from "node:fs";
import { open } from "node:fs/promises";

export type FileStart = { bytes: Buffer; sizeBytes: number };

/**
 * The first bytes of a regular file in a folder that is not trusted; undefined for everything else, including a link.
 * Never throws, and never waits: a named pipe is opened without waiting for its writer, and then refused.
 */
export async function readFileStart(path: string, maxBytes: number): Promise<FileStart | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return undefined;
      const buffer = Buffer.alloc(Math.min(maxBytes, stat.size));
      let length = 0;
      while (length < buffer.length) {
        const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return { bytes: buffer.subarray(0, length), sizeBytes: stat.size };
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

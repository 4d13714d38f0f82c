import { createHash } from "node:crypto";
import { join } from "node:path";
import { readRegularFile } from "@harness/host";

/** Larger files hold data, not text that people wrote. */
const MAX_SOURCE_BYTES = 8 * 1024 * 1024;
/** Where git looks for a NUL byte, by which it tells binary files. */
const BINARY_BYTES = 8_000;

/** `text`: undefined if the file is binary. */
export type SourceText = { digest: string; text: string | undefined };

/** Reads a file for the index; undefined if it is gone, unreadable, or too large. Never throws. */
export function readSource(folder: string, path: string): SourceText | undefined {
  try {
    const bytes = readRegularFile(join(folder, path), { maxBytes: MAX_SOURCE_BYTES, followLinks: false });
    return { digest: createHash("sha256").update(bytes).digest("hex"), text: textOf(bytes) };
  } catch {
    return undefined;
  }
}

function textOf(bytes: Buffer): string | undefined {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : undefined;
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  if (bytes.subarray(0, BINARY_BYTES).includes(0)) return undefined;
  return new TextDecoder().decode(bytes);
}

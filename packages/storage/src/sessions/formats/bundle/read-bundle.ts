import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { readRegularFile } from "@harness/host";

const MAX_BUNDLE_BYTES = 256 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024;
const LF = 10;

/** The lines of a bundle that is whole; nothing about their values is known. */
export type Bundle = { head: Record<string, unknown>; rows(): Iterable<Record<string, unknown>> };

/** Reads a bundle; a sentence where it is none or damaged; undefined where it does not even look like one. */
export function readBundle(path: string): Bundle | { problem: string } | undefined {
  try {
    const packed = readRegularFile(path, { maxBytes: MAX_BUNDLE_BYTES, followLinks: true });
    if (packed[0] !== 0x1f || packed[1] !== 0x8b) return undefined;
    const bytes = gunzipSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES });
    const lastStart = bytes.lastIndexOf(LF, bytes.length - 2) + 1;
    const { end } = parsed(bytes.toString("utf8", lastStart));
    const content = bytes.subarray(0, lastStart);
    const sum = createHash("sha256").update(content).digest("hex");
    if (Object(end).sha256 !== sum) return { problem: `${path} is damaged: its checksum is wrong.` };
    const head = parsed(content.toString("utf8", 0, content.indexOf(LF)));
    if (head.format !== "harness-bundle") return { problem: `${path} is not a bundle of harness.` };
    if (head.version !== 1)
      return { problem: `${path} was written by a newer version of harness. Update harness to import it.` };
    return { head, rows: () => rowsOf(content) };
  } catch (error) {
    return { problem: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.` };
  }
}

function* rowsOf(bytes: Buffer): Generator<Record<string, unknown>, void> {
  for (let start = bytes.indexOf(LF) + 1; start > 0 && start < bytes.length; ) {
    const end = bytes.indexOf(LF, start);
    yield parsed(bytes.toString("utf8", start, end));
    start = end + 1;
  }
}

function parsed(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

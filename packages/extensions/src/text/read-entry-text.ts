import { realpathSync } from "node:fs";
import { readRegularFile } from "@harness/host";

/** The limit for one of the user's Markdown files. */
export const MAX_BYTES = 256 * 1024;

/** The text of a file, or why it cannot be read, as the end of a sentence. */
export function readEntryText(path: string): { text: string } | { problem: string } {
  try {
    const bytes = readRegularFile(realpathSync(path), { maxBytes: MAX_BYTES, followLinks: false });
    return { text: bytes.toString("utf8").toWellFormed().replaceAll("\0", "") };
  } catch (error) {
    return { problem: error instanceof Error ? `it cannot be read (${error.message})` : "it cannot be read" };
  }
}

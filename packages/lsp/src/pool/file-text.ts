import { readRegularFile } from "@harness/host";

const MAX_FILE_BYTES = 1_000_000;

/** Undefined if there is no such file, or it is too large for a server. */
export function fileText(path: string): string | undefined {
  try {
    return readRegularFile(path, { maxBytes: MAX_FILE_BYTES, followLinks: true }).toString("utf8");
  } catch {
    return undefined;
  }
}

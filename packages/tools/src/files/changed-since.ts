import { lstat, readFile } from "node:fs/promises";
import type { FileStamp } from "@harness/core";
import { errorCode } from "@harness/host";
import type { FileBuffers } from "../buffers/file-buffers.ts";
import { sha256 } from "./digest.ts";

/** A larger file with a different time counts as changed, because comparing its content would take too long. */
const MAX_COMPARED_BYTES = 10 * 1024 * 1024;

type Since = "same" | "changed" | "gone";

/**
 * Compares a file with what was seen, by size and time; if only the time differs, the content decides. Of a file that
 * the person has open in an editor, the text there counts.
 */
export async function changedSince(path: string, seen: FileStamp, buffers?: FileBuffers): Promise<Since> {
  const reader = buffers?.during(new AbortController().signal);
  try {
    const now = await lstat(path);
    if (reader && now.isFile() && now.size <= MAX_COMPARED_BYTES) {
      const { buffer } = await reader.look(path, await readFile(path));
      if (buffer) return (await sha256(buffer.bytes)) === seen.sha256 ? "same" : "changed";
    }
    if (!now.isFile() || now.size !== seen.sizeBytes) return "changed";
    if (seen.mtimeMs !== undefined && Math.floor(now.mtimeMs) === Math.floor(seen.mtimeMs)) return "same";
    if (now.size > MAX_COMPARED_BYTES) return "changed";
    return (await sha256(await readFile(path))) === seen.sha256 ? "same" : "changed";
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "gone" : "same";
  }
}

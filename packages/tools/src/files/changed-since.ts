import { lstat, readFile } from "node:fs/promises";
import type { FileStamp } from "@harness/core";
import { errorCode } from "@harness/host";
import { sha256 } from "./digest.ts";

/** A larger file with a different time counts as changed, because comparing its content would take too long. */
const MAX_COMPARED_BYTES = 10 * 1024 * 1024;

/** Compares a file with what was seen, by size and time; if only the time differs, the content decides. */
export async function changedSince(path: string, seen: FileStamp): Promise<"same" | "changed" | "gone"> {
  try {
    const now = await lstat(path);
    if (!now.isFile() || now.size !== seen.sizeBytes) return "changed";
    if (seen.mtimeMs !== undefined && Math.floor(now.mtimeMs) === Math.floor(seen.mtimeMs)) return "same";
    if (now.size > MAX_COMPARED_BYTES) return "changed";
    return (await sha256(await readFile(path))) === seen.sha256 ? "same" : "changed";
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "gone" : "same";
  }
}

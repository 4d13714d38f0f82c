import { createHash } from "node:crypto";
import type { PinnedReading } from "@harness/core";
import { readFileStart, realPathOf } from "@harness/host";
import type { PinnedFile } from "@harness/protocol";

const MAX_BYTES = 1024 * 1024;

/** Reads a pinned file or some of its lines; the caller has checked that it may be read. */
export async function readPinnedFile({ path, lines }: PinnedFile): Promise<PinnedReading> {
  const real = await realPathOf(path);
  const start = await readFileStart(real, MAX_BYTES + 1);
  if (!start) return { problem: "does not exist, or is not a file" };
  if (start.sizeBytes > MAX_BYTES) return { problem: "is larger than 1 MB: only smaller files can be pinned" };
  if (start.bytes.includes(0)) return { problem: "is not text" };
  const whole = start.bytes.toString("utf8").replace(/^\uFEFF/, "");
  const all = whole.split("\n");
  if (lines && lines.first > all.length) return { problem: `ends before line ${lines.first}: it has ${all.length}` };
  const text = lines ? all.slice(lines.first - 1, lines.last).join("\n") : whole;
  const sha256 = createHash("sha256").update(start.bytes).digest("hex");
  const seen = { path: real, how: "read", sizeBytes: start.sizeBytes, sha256 } as const;
  const stretch: [number, number][] = lines ? [[lines.first, Math.min(lines.last, all.length)]] : [];
  return { text, seen: lines ? { ...seen, lines: stretch } : seen };
}

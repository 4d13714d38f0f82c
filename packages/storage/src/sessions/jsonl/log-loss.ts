import type { LogLoss } from "../damage.ts";
import type { DatedDigest } from "../meta-file.ts";

/**
 * Power loss may take bytes that were on their way to the disk, and people remove files: `meta.json` may then know of
 * more than the main log has. `readBytes`: of the log, up to the last whole line.
 */
export function lossOf(
  meta: DatedDigest | undefined,
  { turns, readBytes }: { turns: number; readBytes: number },
): LogLoss | undefined {
  if (!meta) return undefined;
  if (turns === 0 && meta.digest.turns > 0) return "messages";
  return meta.readBytes > readBytes ? "end" : meta.digest.damage.lost;
}

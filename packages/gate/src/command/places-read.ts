import { readsOpenly } from "../programs/programs.ts";
import { readStrictLine } from "../shell/strict-line.ts";
import { type LineOptions, readOnlyVerdict } from "./read-only-verdict.ts";

const EVERYWHERE = "/";

/**
 * Every place that a command may read, if it provably only reads; undefined: it may change things. Used to decide what
 * may run concurrently, not whether it may run at all.
 */
export function placesRead(command: string, options: LineOptions): readonly string[] | undefined {
  const line = readStrictLine(command);
  if ("outside" in line) return undefined;
  const verdict = readOnlyVerdict(line, options);
  if ("reason" in verdict) return undefined;
  return line.commands.some(readsOpenly) ? [EVERYWHERE] : verdict.paths;
}

import { readsOpenly } from "../programs/programs.ts";
import { readStrictLine } from "../shell/strict-line.ts";
import { type LineOptions, readOnlyVerdict } from "./read-only-verdict.ts";

const EVERYWHERE = "/";

/**
 * Every place that a command may look at, where it provably only looks; undefined: it may change things. For what may
 * run side by side: whether it may run at all is another question.
 */
export function placesRead(command: string, options: LineOptions): readonly string[] | undefined {
  const line = readStrictLine(command);
  if ("outside" in line) return undefined;
  const verdict = readOnlyVerdict(line, options);
  if ("reason" in verdict) return undefined;
  return line.commands.some(readsOpenly) ? [EVERYWHERE] : verdict.paths;
}

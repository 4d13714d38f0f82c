import type { FileExtracts } from "../../ports/tool.ts";
import type { PastResult } from "../shrinking/past-result.ts";

/**
 * The extract of a file that a model picked earlier, if the result contains every line of it. The extract is then part
 * of what was read and reveals nothing more. Undefined: there is none.
 */
export function keptExtract(
  { text, effects, isError }: PastResult,
  extracts: FileExtracts["answers"],
): string | undefined {
  if (isError || extracts.size === 0) return undefined;
  const shown = effects.flatMap((effect) => (effect.kind === "read" ? (extracts.get(effect.path)?.shown ?? []) : []));
  const has = new Set(shown.length > 0 ? text.split("\n") : []);
  return shown.find((extract) => {
    const rows = extract.split("\n").filter((row) => !row.startsWith("["));
    return rows.length > 0 && rows.every((row) => has.has(row));
  });
}

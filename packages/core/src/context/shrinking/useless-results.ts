import type { PastResult } from "./past-result.ts";

/** The number of later reads of the same place to compare a result with. */
const MAX_LOOKS = 5;

/** Why later requests no longer need a result. */
export type Uselessness = "again" | "contained" | "changed";

/**
 * The results that later ones made useless, by call id. `again`: the same call was repeated. `contained`: a later read
 * of the same place shows every line. `changed`: the place was written to since.
 */
export function uselessResults(results: readonly PastResult[]): Map<string, Uselessness> {
  const found = new Map<string, Uselessness>();
  const repeated = new Map<string, { isError: boolean }>();
  const seen = new Map<string, Set<string>[]>();
  const written = new Set<string>();
  for (const result of results.toReversed()) {
    const { toolCallId, isError, text } = result;
    const lines = isError ? [] : linesOf(text);
    const path = placeOf(result);
    const again = repeated.get(result.key);
    const looks = path === undefined ? [] : (seen.get(path) ?? []);
    if (hasSubject(result)) {
      // A later failure says nothing about the earlier content.
      if (again && (!again.isError || isError)) found.set(toolCallId, "again");
      else if (lines.length > 0 && looks.some((later) => lines.every((line) => later.has(line))))
        found.set(toolCallId, "contained");
      else if (path !== undefined && written.has(path)) found.set(toolCallId, "changed");
      if (!again || (again.isError && !isError)) repeated.set(result.key, { isError });
    }
    if (path !== undefined && lines.length > 0) seen.set(path, [...looks.slice(1 - MAX_LOOKS), new Set(lines)]);
    if (!isError) for (const each of result.effects) if (each.kind === "write") written.add(each.path);
  }
  return found;
}

/** True if the call reads, runs or reaches something: only then does repeating it repeat the result. */
function hasSubject({ effects, category }: PastResult): boolean {
  return category !== "signal" && effects.some(({ kind }) => kind === "read" || kind === "run" || kind === "reach");
}

/** The place that the call reads, if it is the only one. */
function placeOf({ effects }: PastResult): string | undefined {
  const [first, second] = effects;
  return first?.kind === "read" && second === undefined ? first.path : undefined;
}

/** The lines of a result without notes from harness and from tools. */
function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "" && !/^\[.*\]$/.test(line));
}

/** True for a call that only reads files, so that it can be repeated for a part. */
export function canBeAskedAgain({ category, effects }: Pick<PastResult, "category" | "effects">): boolean {
  return category === "readOnly" && effects.length > 0 && effects.every(({ kind }) => kind === "read");
}

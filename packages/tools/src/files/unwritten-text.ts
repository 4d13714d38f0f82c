import { fileProblem } from "./file-problem.ts";
import type { WriteResult } from "./file-writer.ts";
import { WriteConflictError } from "./prepared-change.ts";

/** Says why nothing was written; `names`: the files of the changes, in order. */
export function unwrittenText(
  { failed, error, left }: Extract<WriteResult, { left: number[] }>,
  names: string[],
): string {
  const shown = names[failed] ?? "the files";
  const why =
    error instanceof WriteConflictError
      ? `${shown} was changed by another program just now; read it again.`
      : `Cannot write ${shown}: ${fileProblem(error)}.`;
  if (left.length === 0)
    return names.length > 1 || !(error instanceof WriteConflictError) ? `${why} Nothing was changed.` : why;
  const kept = left.map((at) => names[at]).join(", ");
  return `${why} What was changed before it was put back, except ${kept}: look at that before you go on.`;
}

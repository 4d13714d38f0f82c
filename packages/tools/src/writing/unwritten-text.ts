import { fileProblem } from "../files/file-problem.ts";
import { oneLine } from "../text/one-line.ts";
import { EditorWriteError } from "./editor-writer.ts";
import type { WriteResult } from "./file-writer.ts";
import { WriteConflictError } from "./prepared-change.ts";

const MAX_REASON_CHARS = 300;

/** Says why nothing was written; `names`: the files of the changes, in order. */
export function unwrittenText(
  { failed, error, left }: Extract<WriteResult, { left: number[] }>,
  names: string[],
): string {
  const shown = names[failed] ?? "the files";
  const why = reason(error, shown);
  const isUnknown = error instanceof EditorWriteError && error.isUnknown;
  if (left.length > 0) {
    const kept = left.map((at) => names[at]).join(", ");
    return `${why} What was changed before it was put back, except ${kept}: look at that before you go on.`;
  }
  const isPlain = names.length === 1 && (isUnknown || error instanceof WriteConflictError);
  return isPlain ? why : `${why} Nothing ${isUnknown ? "else " : ""}was changed.`;
}

function reason(error: unknown, shown: string): string {
  if (error instanceof WriteConflictError) return `${shown} was changed by another program just now; read it again.`;
  if (!(error instanceof EditorWriteError)) return `Cannot write ${shown}: ${fileProblem(error)}.`;
  const said = oneLine(error.message, MAX_REASON_CHARS);
  if (error.isUnknown) return `${said}: ${shown} may still be written, so read it again before you go on.`;
  return `Cannot write ${shown}: ${said.charAt(0).toLowerCase()}${said.slice(1)}.`;
}

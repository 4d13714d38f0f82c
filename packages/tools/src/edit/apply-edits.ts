import { closestMatch } from "../text/closest-match.ts";
import { replaceExactly } from "../text/exact-replacement.ts";
import { type AppliedHunks, applyHunks } from "./apply-hunks.ts";
import { applyLines } from "./apply-lines.ts";
import type { EditStep } from "./edit-call.ts";

const SHOWN_PLACES = 10;
/** Shorter texts occur in many places by chance. */
const MIN_RECOGNIZED = 10;
const BOM = "\uFEFF";

export type EditableStep = Exclude<EditStep, { kind: "create" | "delete" }>;
type TextStep = Extract<EditStep, { kind: "text" }>;

/** Applies all steps for one file to its text, each to the result of the previous one. Pure. */
export function applyEdits(body: string, steps: readonly EditableStep[], shown: string): AppliedHunks {
  const byLine = steps.filter((step) => step.kind === "lines");
  if (byLine.length === steps.length) return applyLines(body, byLine, shown);
  // Line numbers refer to the text that the model read: after another edit they would be wrong.
  if (byLine.length > 0) return { problem: `Edits of ${shown} name lines and texts: use one of them in a call.` };
  let text = body;
  const lines: number[] = [];
  for (const [at, step] of steps.entries()) {
    if (step.kind === "lines") continue;
    const result = step.kind === "text" ? replaceText(text, step, shown) : applyHunks(text, step.hunks, shown);
    if ("problem" in result) {
      return { problem: steps.length > 1 ? `Edit ${at + 1} of ${shown}: ${result.problem}` : result.problem };
    }
    text = result.text;
    lines.push(...result.lines);
  }
  return { text, lines };
}

/** A model that repeats an edit searches in vain for the text that it has already replaced. */
function madeAlready(text: string, into: string): string | undefined {
  const at = into.trim().length < MIN_RECOGNIZED ? -1 : text.replaceAll("\r\n", "\n").indexOf(into);
  if (at === -1) return undefined;
  const line = text.replaceAll("\r\n", "\n").slice(0, at).split("\n").length;
  return `new_string is there already, at line ${line}: this edit may have been made.`;
}

function replaceText(text: string, { old, into, all }: TextStep, shown: string): AppliedHunks {
  const wanted = old.startsWith(BOM) ? old.slice(1) : old;
  const result = replaceExactly(text, wanted, into, { all });
  switch (result.outcome) {
    case "replaced":
      return result;
    case "missing":
      return { problem: `old_string is not in ${shown}. ${madeAlready(text, into) ?? closestMatch(text, wanted)}` };
    case "tooMuch":
      return { problem: `Too much would change in ${shown} at once: use bash with sed.` };
    case "ambiguous": {
      const { lines, count } = result;
      const places = lines.slice(0, SHOWN_PLACES).join(", ") + (count > SHOWN_PLACES ? " …" : "");
      const what = `old_string occurs ${count} times in ${shown} (lines ${places}).`;
      return { problem: `${what} Add lines around it until it is unique, or set replace_all to change all of them.` };
    }
  }
}

import type { ReviewHunk } from "@harness/protocol";

const NO_END = "\\ No newline at end of file";

/** One change as a unified diff. `after`: its new lines, which the person may have edited. */
export function hunkDiff({ before, line }: Pick<ReviewHunk, "before" | "line">, after: string): string {
  const sides = { before: linesOf(before), after: linesOf(after) };
  // A carriage return at the end of each line is how the file is; one that comes or goes is the change.
  const isSame = before === "" || after === "" || hasReturns(before) === hasReturns(after);
  const shown = (lines: readonly string[], sign: string): string[] =>
    lines.map((each) => sign + (isSame ? each.replace(/\r$/, "") : each));
  const endsDiffer = before !== "" && after !== "" && before.endsWith("\n") !== after.endsWith("\n");
  const remark = (text: string): string[] => (endsDiffer && !text.endsWith("\n") ? [NO_END] : []);
  return [
    `@@ -${line},${sides.before.length} +${line},${sides.after.length} @@`,
    ...shown(sides.before, "-"),
    ...remark(before),
    ...shown(sides.after, "+"),
    ...remark(after),
  ].join("\n");
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function hasReturns(text: string): boolean {
  return text.includes("\r\n");
}

import { amount } from "@harness/protocol";
import { joinLines, linesOf, splitLines, withLines } from "../text/text-lines.ts";
import type { AppliedHunks } from "./apply-hunks.ts";
import type { EditStep } from "./edit-call.ts";

type LineStep = Extract<EditStep, { kind: "lines" }>;

/** Replaces and inserts lines; all numbers refer to the original text. */
export function applyLines(text: string, steps: readonly LineStep[], shown: string): AppliedHunks {
  let lines = splitLines(text);
  const sorted = steps.toSorted((a, b) => a.first - b.first || a.last - b.last);
  for (const [at, step] of sorted.entries()) {
    const problem = rangeProblem(step, lines.length, shown) ?? overlap(step, sorted[at + 1], shown);
    if (problem) return { problem };
  }
  for (const { first, last, content } of sorted.toReversed()) {
    lines = withLines(lines, first - 1, last - first + 1, linesOf(content));
  }
  return { text: joinLines(lines), lines: sorted.map(({ first }) => first) };
}

function rangeProblem({ first, last, content }: LineStep, total: number, shown: string): string | undefined {
  if (first < 1 || last < first - 1) return `Lines ${first} to ${last} are not valid: count from 1.`;
  if (last > total || first > total + 1) {
    return `${shown} has ${amount(total, "line")}; line ${Math.max(first, last)} is past its end.`;
  }
  if (last < first && content === "") return "content is empty: nothing would be inserted.";
  return undefined;
}

function overlap({ first, last }: LineStep, next: LineStep | undefined, shown: string): string | undefined {
  if (!next || next.first > last) return undefined;
  return `Two edits of ${shown} are about line ${next.first}: lines ${first} to ${last}, and ${next.first} to ${next.last}.`;
}

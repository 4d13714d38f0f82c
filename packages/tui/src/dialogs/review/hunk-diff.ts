import type { ReviewHunk } from "@harness/protocol";

const NO_END = "\\ No newline at end of file";
/** Above this the lines are not compared: everything counts as replaced. */
const MAX_PAIRS = 40_000;

/** One change as a unified diff, between the unchanged lines around it. */
export function placedDiff(
  { above = "", below = "", ...hunk }: Pick<ReviewHunk, "before" | "line" | "above" | "below">,
  after: string,
): string {
  const [head = "", ...rows] = hunkDiff(hunk, after).split("\n");
  const before = linesOf(above, false).map((line) => ` ${line}`);
  const behind = linesOf(below, false).map((line) => ` ${line}`);
  // The sizes in the header are not shown.
  const first = hunk.line - before.length;
  return [head.replace(/-\d+/, `-${first}`).replace(/\+\d+/, `+${first}`), ...before, ...rows, ...behind].join("\n");
}

/** One change as a unified diff. `after`: its new lines, which the user may have edited. */
function hunkDiff({ before, line }: Pick<ReviewHunk, "before" | "line">, after: string): string {
  const isWhole = before === "" || after === "";
  // A carriage return at the end of each line belongs to the file; one that is added or removed is the change.
  const keepsReturns = !isWhole && hasReturns(before) !== hasReturns(after);
  const [old, fresh] = [before, after].map((text) => linesOf(text, keepsReturns));
  const endsDiffer = !isWhole && before.endsWith("\n") !== after.endsWith("\n");
  const rows = endsDiffer ? replaced(old ?? [], fresh ?? []) : compared(old ?? [], fresh ?? []);
  const head = `@@ -${line},${old?.length ?? 0} +${line},${fresh?.length ?? 0} @@`;
  if (!endsDiffer) return [head, ...rows].join("\n");
  const remarkAt = before.endsWith("\n") ? rows.length : (old?.length ?? 0);
  return [head, ...rows.slice(0, remarkAt), NO_END, ...rows.slice(remarkAt)].join("\n");
}

function linesOf(text: string, keepsReturns: boolean): string[] {
  if (text === "") return [];
  const lines = text.replace(/\n$/, "").split("\n");
  return keepsReturns ? lines : lines.map((each) => each.replace(/\r$/, ""));
}

function hasReturns(text: string): boolean {
  return text.includes("\r\n");
}

function replaced(old: readonly string[], fresh: readonly string[]): string[] {
  return [...old.map((each) => `-${each}`), ...fresh.map((each) => `+${each}`)];
}

/** Unchanged lines between two changes are shown as such: changes that are close together are one. */
function compared(old: readonly string[], fresh: readonly string[]): string[] {
  if (old.length * fresh.length > MAX_PAIRS) return replaced(old, fresh);
  const common = commonCounts(old, fresh);
  const rows: string[] = [];
  let added: string[] = [];
  for (let [at, to] = [0, 0]; at < old.length || to < fresh.length; ) {
    const [gone, made] = [old[at], fresh[to]];
    if (gone !== undefined && gone === made) {
      rows.push(...added, ` ${gone}`);
      added = [];
      at += 1;
      to += 1;
    } else if (
      gone !== undefined &&
      (made === undefined || countAt(common, at + 1, to) >= countAt(common, at, to + 1))
    ) {
      rows.push(`-${gone}`);
      at += 1;
    } else {
      added.push(`+${made}`);
      to += 1;
    }
  }
  return [...rows, ...added];
}

/** How many lines the remainders of both have in common, in order, from each pair of positions on. */
function commonCounts(old: readonly string[], fresh: readonly string[]): number[][] {
  const counts: number[][] = Array.from({ length: old.length + 1 }, () => new Array(fresh.length + 1).fill(0));
  for (let at = old.length - 1; at >= 0; at -= 1) {
    for (let to = fresh.length - 1; to >= 0; to -= 1) {
      const row = counts[at];
      if (!row) continue;
      row[to] =
        old[at] === fresh[to]
          ? countAt(counts, at + 1, to + 1) + 1
          : Math.max(countAt(counts, at + 1, to), countAt(counts, at, to + 1));
    }
  }
  return counts;
}

function countAt(counts: readonly (readonly number[])[], at: number, to: number): number {
  return counts[at]?.[to] ?? 0;
}

import type { DiffLine } from "./diff-lines.ts";

/** Hidden lines between two shown ones. */
export type Gap = { readonly unchanged: number; readonly canOpen: boolean };

/** Unchanged lines shown around a change while the diff is folded. */
const CLOSE = 3;

/** The visible lines of a diff; while it is folded, only those close to a change. Lines between hunks are counted. */
export function shownContext(
  lines: readonly DiffLine[],
  { open }: { open: boolean },
): { lines: (DiffLine | Gap)[]; hidden: number } {
  const isShown = open ? lines.map(() => true) : closeToChanges(lines);
  const shown: (DiffLine | Gap)[] = [];
  let hidden = 0;
  let folded = 0;
  let between = 0;
  for (const [index, line] of lines.entries()) {
    if ("between" in line) {
      between += line.between;
      continue;
    }
    if (!isShown[index]) {
      folded += 1;
      hidden += 1;
      continue;
    }
    // Lines before the first shown one or after the last do not form a gap.
    if (shown.length > 0 && folded + between > 0) shown.push({ unchanged: folded + between, canOpen: folded > 0 });
    folded = 0;
    between = 0;
    shown.push(line);
  }
  return { lines: shown, hidden };
}

function closeToChanges(lines: readonly DiffLine[]): boolean[] {
  const shown = lines.map((line) => !("mark" in line) || line.mark !== " ");
  for (const [index, line] of lines.entries()) {
    if (!("mark" in line) || line.mark === " ") continue;
    for (let by = 1; by <= CLOSE && isContext(lines[index - by]); by++) shown[index - by] = true;
    for (let by = 1; by <= CLOSE && isContext(lines[index + by]); by++) shown[index + by] = true;
  }
  return shown;
}

function isContext(line: DiffLine | undefined): boolean {
  return line !== undefined && "mark" in line && line.mark === " ";
}

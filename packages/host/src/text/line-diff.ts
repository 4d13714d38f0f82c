const CONTEXT_LINES = 3;
const MAX_SHOWN_LINES = 2000;
const MAX_LINE_CHARS = 2000;
/** With more differing lines a minimal diff takes seconds; then the whole changed range is shown as replaced. */
const MAX_EDITS = 1000;

/** The change of one file. `hunks`: a unified diff without file headers. */
export type LineDiff = {
  type: "diff";
  path: string;
  change: "create" | "modify" | "delete";
  hunks: string;
  added: number;
  removed: number;
};

type Hunk = { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] };

/** How much of a diff is kept: its lines, and the unchanged ones beside each change. */
export type DiffExtent = { readonly maxLines?: number; readonly context?: number };

/** Unchanged lines of a diff that can be expanded; at first only the nearest ones are shown. */
export const OPENABLE_CONTEXT = 12;

/**
 * Compares two states of a file; `before` is undefined if the file is new, `after` if it is deleted. `path` is
 * absolute.
 */
export async function lineDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
  { maxLines = MAX_SHOWN_LINES, context = CONTEXT_LINES }: DiffExtent = {},
): Promise<LineDiff> {
  const block = (change: LineDiff["change"], hunks: readonly Hunk[]) => diffBlock({ path, change }, hunks, maxLines);
  if (before === undefined) return block("create", wholeHunk("+", after ?? ""));
  if (after === undefined) return block("delete", wholeHunk("-", before));
  if (before === "" || after === "") {
    return block("modify", before === "" ? wholeHunk("+", after) : wholeHunk("-", before));
  }
  const { structuredPatch } = await import("diff");
  const options = { context, maxEditLength: MAX_EDITS };
  const patch = structuredPatch(path, path, before, after, undefined, undefined, options);
  return block("modify", patch ? patch.hunks : [replacedStretch(before, after, context)]);
}

function diffBlock(about: Pick<LineDiff, "path" | "change">, hunks: readonly Hunk[], maxLines: number): LineDiff {
  const rows: string[] = [];
  let added = 0;
  let removed = 0;
  let left = 0;
  for (const hunk of hunks) {
    if (rows.length < maxLines) {
      rows.push(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`);
    }
    for (const line of hunk.lines) {
      // "\ No newline at end of file" is not a line of the file.
      if (line.startsWith("\\")) continue;
      if (line.startsWith("+")) added++;
      if (line.startsWith("-")) removed++;
      if (rows.length < maxLines) rows.push(shortened(line));
      else left++;
    }
  }
  if (left > 0) rows.push(`@@ ${left} more lines are not shown @@`);
  return { type: "diff", ...about, hunks: rows.join("\n"), added, removed };
}

function shortened(line: string): string {
  const shown = line.endsWith("\r") ? line.slice(0, -1) : line;
  return shown.length <= MAX_LINE_CHARS ? shown : `${shown.slice(0, MAX_LINE_CHARS).toWellFormed()}…`;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function wholeHunk(sign: "+" | "-", text: string): Hunk[] {
  const lines = linesOf(text).map((line) => sign + line);
  if (lines.length === 0) return [];
  const there = { start: 1, count: lines.length };
  const [before, after] = sign === "+" ? [{ start: 0, count: 0 }, there] : [there, { start: 0, count: 0 }];
  return [{ oldStart: before.start, oldLines: before.count, newStart: after.start, newLines: after.count, lines }];
}

/** Replaces everything between the common beginning and the common end. */
function replacedStretch(before: string, after: string, contextLines: number): Hunk {
  const olds = linesOf(before);
  const news = linesOf(after);
  const most = Math.min(olds.length, news.length);
  let head = 0;
  while (head < most && olds[head] === news[head]) head++;
  let tail = 0;
  while (tail < most - head && olds.at(-1 - tail) === news.at(-1 - tail)) tail++;
  const first = Math.max(0, head - contextLines);
  const following = olds.slice(olds.length - tail, olds.length - tail + contextLines);
  const out = olds.slice(head, olds.length - tail);
  const into = news.slice(head, news.length - tail);
  const context = head - first + following.length;
  return {
    oldStart: first + 1,
    oldLines: out.length + context,
    newStart: first + 1,
    newLines: into.length + context,
    lines: [
      ...olds.slice(first, head).map((line) => ` ${line}`),
      ...out.map((line) => `-${line}`),
      ...into.map((line) => `+${line}`),
      ...following.map((line) => ` ${line}`),
    ],
  };
}

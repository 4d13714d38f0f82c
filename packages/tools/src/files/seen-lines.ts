/** Line numbers, first and last of each range, ascending and without overlap. */
export type LineRanges = readonly (readonly [number, number])[];

export function mergeRanges(lines: LineRanges): [number, number][] {
  const all: [number, number][] = [];
  for (const [first, last] of lines.toSorted((a, b) => a[0] - b[0])) {
    const before = all.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else all.push([first, last]);
  }
  return all;
}

function hasLine(lines: LineRanges, line: number): boolean {
  return lines.some(([first, last]) => line >= first && line <= last);
}

export function linesText(lines: LineRanges): string {
  return lines.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}

type Row = { kind: " " | "+" | "-"; before: number; after: number };

/** The rows of a unified diff, with their line numbers before and after. */
function* rowsOf(hunks: string): Generator<Row> {
  let [before, after] = [0, 0];
  for (const row of hunks.split("\n")) {
    const start = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(row);
    if (start) [before, after] = [Number(start[1]), Number(start[2])];
    const kind = row[0];
    if (start || (kind !== " " && kind !== "+" && kind !== "-")) continue;
    yield { kind, before, after };
    if (kind !== "+") before += 1;
    if (kind !== "-") after += 1;
  }
}

/** The first line that a change removes although it was not seen; undefined: none. */
export function unseenLine(hunks: string, seen: LineRanges): number | undefined {
  for (const { kind, before } of rowsOf(hunks)) if (kind === "-" && !hasLine(seen, before)) return before;
  return undefined;
}

/** The lines of the file that are known after a change: known lines that remain, and new ones. */
export function seenAfter(hunks: string, seen: LineRanges): [number, number][] {
  const rows = [...rowsOf(hunks)];
  const added = rows.flatMap(({ kind, after }): [number, number][] => (kind === "+" ? [[after, after]] : []));
  const removed = new Set(rows.flatMap(({ kind, before }) => (kind === "-" ? [before] : [])));
  const kept: [number, number][] = [];
  for (const [first, last] of seen) {
    for (let line = first; line <= last; line += 1) {
      if (removed.has(line)) continue;
      const moved = line + shift(rows, line);
      kept.push([moved, moved]);
    }
  }
  return mergeRanges([...kept, ...added]);
}

/** How far a remaining line has moved. */
function shift(rows: readonly Row[], line: number): number {
  let moved = 0;
  for (const { kind, before } of rows) {
    if (kind === "-" && before < line) moved -= 1;
    if (kind === "+" && before <= line) moved += 1;
  }
  return moved;
}

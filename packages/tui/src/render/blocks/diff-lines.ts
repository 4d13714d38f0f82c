/** A line of a unified diff: with its sign and the number it has in its own file, or a line between hunks. */
export type DiffLine = { mark: " " | "+" | "-"; number: number; text: string } | { hunk: string };

const HEADER = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

export function diffLines(lines: readonly string[]): DiffLine[] {
  let before = 1;
  let after = 1;
  return lines.flatMap((line): DiffLine[] => {
    const header = HEADER.exec(line);
    if (header) {
      before = Number(header[1]);
      after = Number(header[2]);
      return [{ hunk: line }];
    }
    const text = line.slice(1);
    if (line.startsWith("+")) return [{ mark: "+", number: after++, text }];
    if (line.startsWith("-")) return [{ mark: "-", number: before++, text }];
    // "\ No newline at end of file"
    if (line.startsWith("\\")) return [{ hunk: line }];
    before += 1;
    return [{ mark: " ", number: after++, text }];
  });
}

/** Columns that the numbers of these lines take. */
export function numberColumns(lines: readonly DiffLine[]): number {
  return lines.reduce((most, line) => Math.max(most, "number" in line ? String(line.number).length : 0), 2);
}

/**
 * A line of a unified diff: with its sign and the number it has in its own file, an unchanged one also with that before; the unchanged lines between two hunks; or a
 * remark, such as that a file does not end with a newline.
 */
export type DiffLine = DiffSide | { readonly between: number; readonly hunk: string } | { readonly remark: string };

export type DiffSide =
  | { readonly mark: "+" | "-"; readonly number: number; readonly text: string }
  | { readonly mark: " "; readonly number: number; readonly before: number; readonly text: string };

const HEADER = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

export function diffLines(lines: readonly string[]): DiffLine[] {
  let before = 1;
  let after = 1;
  return lines.flatMap((line): DiffLine[] => {
    const header = HEADER.exec(line);
    if (header) {
      const start = Number(header[2]);
      const between = Math.max(0, start - after);
      before = Number(header[1]);
      after = start;
      return [{ between, hunk: line }];
    }
    const text = line.slice(1);
    if (line.startsWith("+")) return [{ mark: "+", number: after++, text }];
    if (line.startsWith("-")) return [{ mark: "-", number: before++, text }];
    if (line.startsWith("@@")) return [{ remark: line.replaceAll("@@", "").trim() }];
    // "\ No newline at end of file"
    if (line.startsWith("\\")) return [{ remark: text.trim() }];
    return [{ mark: " ", number: after++, before: before++, text }];
  });
}

/** How many columns the numbers of these lines need. */
export function numberColumns(lines: readonly DiffLine[]): number {
  return lines.reduce((most, line) => Math.max(most, lengthOf(line)), 2);
}

function lengthOf(line: DiffLine): number {
  if (!("mark" in line)) return 0;
  return String(line.mark === " " ? Math.max(line.number, line.before) : line.number).length;
}

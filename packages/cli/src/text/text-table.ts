/** The narrowest that a last column is wrapped to: below that a terminal's own wrapping is no worse. */
const MIN_WRAPPED = 20;

/**
 * Cells under each other, two spaces apart; a column that is empty throughout is left out. With `columns` the last one is
 * wrapped between words, under itself.
 */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns = Number.POSITIVE_INFINITY,
): string {
  const used = header.map((_, at) => at).filter((at) => rows.some((row) => (row[at] ?? "") !== ""));
  const cells = [header, ...rows].map((row) => used.map((at) => oneLine(row[at] ?? "")));
  const widths = used.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const indent = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const room = Math.max(MIN_WRAPPED, columns - indent);
  const line = (row: readonly string[]): string => {
    const before = row.slice(0, -1).map((cell, at) => `${cell.padEnd(widths[at] ?? 0)}  `);
    const last = wrapped(row.at(-1) ?? "", room).join(`\n${" ".repeat(indent)}`);
    return `${before.join("")}${last}`.trimEnd();
  };
  return cells.map(line).join("\n");
}

/** Lines of at most `room` characters, broken between words; a longer word stays whole. */
function wrapped(text: string, room: number): string[] {
  if (text.length <= room) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** `1,234`, or nothing where nobody knows. */
export function countText(count: number | undefined): string {
  return count === undefined ? "" : count.toLocaleString("en-US");
}

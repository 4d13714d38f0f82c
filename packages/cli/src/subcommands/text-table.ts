/** Cells under each other, two spaces apart; a column that is empty throughout is left out. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = header.map((_, at) => at).filter((at) => rows.some((row) => (row[at] ?? "") !== ""));
  const cells = [header, ...rows].map((row) => used.map((at) => oneLine(row[at] ?? "")));
  const widths = used.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  return cells.map(line).join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** `1,234`, or nothing where nobody knows. */
export function countText(count: number | undefined): string {
  return count === undefined ? "" : count.toLocaleString("en-US");
}

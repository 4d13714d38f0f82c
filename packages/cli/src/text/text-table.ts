import { visibleText } from "@harness/protocol";

/** The smallest width that the last column is wrapped to; below it the terminal's own wrapping is no worse. */
const MIN_WRAPPED = 20;

/**
 * Aligns cells in columns, two spaces apart; an empty column is left out. With `columns` the last column is wrapped
 * between words.
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
    const last = wrapText(row.at(-1) ?? "", room).join(`\n${" ".repeat(indent)}`);
    return `${before.join("")}${last}`.trimEnd();
  };
  return cells.map(line).join("\n");
}

/** Lines of at most `room` characters, broken between words; a longer word stays whole. */
export function wrapText(text: string, room: number): string[] {
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

/** Long lines of a text broken between words where a terminal would break words; a file or pipe gets them whole. */
export function linesFor({ isTTY, columns }: { isTTY?: boolean; columns?: number }, text: string, indent = ""): string {
  if (isTTY !== true || columns === undefined || columns < MIN_WRAPPED) return text;
  const lines = text.split("\n").flatMap((line) => {
    if (line.length <= columns) return line;
    const [first = "", ...rest] = wrapText(line, columns - indent.length);
    return [first, ...rest.map((each) => `${indent}${each}`)];
  });
  return lines.join("\n");
}

/** Cells contain names and texts of files and servers, which must not control the terminal. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, " ").trim());
}

/** For example `1,234`; empty for an unknown number. */
export function countText(count: number | undefined): string {
  return count === undefined ? "" : count.toLocaleString("en-US");
}

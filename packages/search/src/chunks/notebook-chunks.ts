import { isRecord } from "@harness/host";
import type { Chunk } from "./chunk.ts";
import { rangeChunks } from "./line-chunks.ts";

/**
 * A Jupyter notebook (nbformat 4) by cell, without outputs; nothing if it is none. Lines are those of the file, which
 * has a line of JSON for each line of a cell; in a file that was written otherwise, those of the cell's first one.
 */
export function notebookChunks(text: string, lines: readonly string[]): Chunk[] | undefined {
  const cells = cellsOf(text);
  if (!cells) return undefined;
  const chunks: Chunk[] = [];
  let row = 0;
  // One search without a result is enough: each takes the whole file.
  let isKnown = true;
  for (const { isCode, source } of cells) {
    const first: number | undefined = isKnown ? findRow(lines, source[0], row) : undefined;
    isKnown = first !== undefined;
    const isOnLines = first !== undefined && source.every((line, index) => isRowOf(lines[first + index], line));
    row = first ?? row;
    const title = isCode ? undefined : /^#{1,6}[ \t]+(.{1,200})/.exec(source[0] ?? "")?.[1]?.trim();
    const names = title === undefined ? [] : [title];
    const head = { kind: "cell" as const, names, signatures: names, comment: "" };
    const parts = rangeChunks(source, { startRow: 0, endRow: source.length - 1 }, head);
    for (const part of parts) {
      const shift = isOnLines ? row : 0;
      const startLine = isOnLines ? part.startLine + shift : row + 1;
      chunks.push({ ...part, startLine, endLine: isOnLines ? part.endLine + shift : row + 1 });
    }
    if (isOnLines) row += source.length;
  }
  return chunks;
}

type Cell = { isCode: boolean; source: string[] };

function cellsOf(text: string): Cell[] | undefined {
  const notebook = parsed(text);
  if (!isRecord(notebook) || !Array.isArray(notebook.cells)) return undefined;
  return notebook.cells.flatMap((cell: unknown) => {
    if (!isRecord(cell)) return [];
    const source = Array.isArray(cell.source) ? cell.source.join("") : cell.source;
    if (typeof source !== "string" || source.trim() === "") return [];
    return [{ isCode: cell.cell_type === "code", source: source.replace(/\r?\n$/, "").split(/\r?\n/) }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findRow(lines: readonly string[], line: string | undefined, from: number): number | undefined {
  if (line === undefined) return undefined;
  const start = JSON.stringify(line).slice(0, -1);
  for (let row = from; row < lines.length; row += 1) if (lines[row]?.includes(start)) return row;
  return undefined;
}

/** Whether a line of the file is this line of a cell. */
function isRowOf(row = "", line: string): boolean {
  return row.trimStart().startsWith(JSON.stringify(line).slice(0, -1));
}

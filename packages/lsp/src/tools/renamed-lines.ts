import { isRecord } from "@harness/host";
import { type CodeLocation, pathOfUri, readRange } from "./code-locations.ts";

/** A line of a file after a rename; `line` from 1. */
export type RenamedLine = { readonly path: string; readonly line: number; readonly text: string };

type TextEdit = Pick<CodeLocation, "start" | "end"> & { readonly newText: string };

/**
 * The lines that a server's edit changes. Only edits within lines are taken: a rename moves nothing. `textOf`:
 * undefined for a file that cannot be read.
 */
export function renamedLines(
  edit: unknown,
  textOf: (path: string) => string | undefined,
): RenamedLine[] | { problem: string } {
  const files = editsByFile(edit);
  if ("problem" in files) return files;
  const renamed: RenamedLine[] = [];
  for (const [path, edits] of files.byPath) {
    const lines = textOf(path)?.split("\n");
    if (!lines) return { problem: `${path} would change, but cannot be read.` };
    for (const { start, end, newText } of edits.toSorted((a, b) => b.start.character - a.start.character)) {
      const text = lines[start.line];
      if (text === undefined || end.line !== start.line || newText.includes("\n"))
        return { problem: `${path} would change by more than a name: use edit.` };
      lines[start.line] = text.slice(0, start.character) + newText + text.slice(end.character);
    }
    const touched = new Set(edits.map(({ start }) => start.line));
    for (const line of [...touched].sort((a, b) => a - b))
      renamed.push({ path, line: line + 1, text: (lines[line] ?? "").replace(/\r$/, "") });
  }
  return renamed;
}

function editsByFile(edit: unknown): { byPath: Map<string, TextEdit[]> } | { problem: string } {
  const byPath = new Map<string, TextEdit[]>();
  const add = (uri: unknown, edits: unknown) => {
    const path = pathOfUri(uri);
    if (path !== undefined && Array.isArray(edits))
      byPath.set(path, [...(byPath.get(path) ?? []), ...edits.flatMap(textEdit)]);
  };
  if (!isRecord(edit)) return { byPath };
  if (Array.isArray(edit.documentChanges)) {
    for (const change of edit.documentChanges) {
      if (!isRecord(change)) continue;
      if (typeof change.kind === "string")
        return { problem: `The server would ${change.kind} a file, which a rename may not.` };
      if (isRecord(change.textDocument)) add(change.textDocument.uri, change.edits);
    }
  } else if (isRecord(edit.changes)) {
    for (const [uri, edits] of Object.entries(edit.changes)) add(uri, edits);
  }
  return { byPath };
}

function textEdit(edit: unknown): TextEdit[] {
  const range = isRecord(edit) ? readRange(edit.range) : undefined;
  return range && isRecord(edit) && typeof edit.newText === "string" ? [{ ...range, newText: edit.newText }] : [];
}

import { join } from "node:path";
import { type ExportFormatName, exportEndings, exportFormats } from "@harness/protocol/choices";
import type { TextBuffer } from "../../../input/index.ts";

/** Sessions that are about to be exported: the folder being typed, and the format. */
export type ExportForm = { readonly folder: TextBuffer; readonly format: ExportFormatName };

export function nextFormat(format: ExportFormatName): ExportFormatName {
  return exportFormats[(exportFormats.indexOf(format) + 1) % exportFormats.length] ?? "md";
}

/** The file of a session in the folder. */
export function exportPath(folder: string, sessionId: string, format: ExportFormatName): string {
  return join(folder, `${sessionId}${exportEndings[format]}`);
}

import type { ToolContext, ToolResult } from "@harness/core";
import { okResult } from "@harness/core";
import { sha256 } from "../files/digest.ts";
import { type OpenFile, writtenAt } from "../files/open-file.ts";
import { linesText } from "../files/seen-lines.ts";
import { splitLines } from "../text/text-lines.ts";
import { extractOf, extractText } from "./file-extract.ts";

/** Larger files are only read in pages. */
const MAX_EXTRACTED_BYTES = 10 * 1024 * 1024;

type Limits = { encoding: string; maxChars: number; rowOf: (line: string, number: number) => string };

/** An extract of a large file; only the lines shown count as read. Undefined: show the file in pages. */
export async function showExtract(
  file: OpenFile,
  shown: string,
  context: ToolContext,
  { encoding, maxChars, rowOf }: Limits,
): Promise<ToolResult | undefined> {
  const { extracts, files, signal } = context;
  if (!extracts || file.sizeBytes > MAX_EXTRACTED_BYTES) return undefined;
  const bytes = await file.handle.readFile();
  const lines = splitLines(new TextDecoder(encoding).decode(bytes)).map(({ text }) => text);
  if (lines.length <= extracts.aboveLines) return undefined;
  const stamp = { sizeBytes: bytes.length, sha256: await sha256(bytes), ...writtenAt(file) };
  const extract = await extractOf({ path: file.realPath, shown, sha256: stamp.sha256, lines }, extracts, signal);
  if (!extract || signal.aborted) return undefined;
  const text = extractText(shown, lines, extract, rowOf);
  if (text.length > maxChars) return undefined;
  const known = extracts.answers.get(file.realPath);
  if (known) known.shown = text;
  files.record(file.realPath, { ...stamp, lines: extract.lines });
  const kept = `an extract for the task: lines ${linesText(extract.lines)} of ${lines.length}`;
  return okResult(text, [{ type: "text", text: kept }]);
}

import type { StoredFact } from "@harness/protocol";
import { eachOf, forLinesTogether, readFirstLine } from "./line-reader.ts";
import { type DecodedLine, decodeLine, decodeLines, type HeaderLine, isTornWrite, splitDamaged } from "./log-line.ts";

/** The content of one agent's log. */
export type LogContent = {
  header: HeaderLine | undefined;
  /** In file order. */
  facts: StoredFact[];
  /** Copies of the bytes that make no sense. */
  damaged: Buffer[];
  /** The rest is the beginning of a line whose writing was interrupted, and which was never announced. */
  keepBytes: number;
  /** The last kept line lacks its LF. */
  open: boolean;
};

/** The first line, where it is a header. Throws what the file system throws. */
export function readHeader(path: string): HeaderLine | undefined {
  const line = decodeLine(readFirstLine(path));
  return line.kind === "header" ? line.header : undefined;
}

/**
 * Reads a log to its end and keeps whatever can be read; `checked`: only what fits the schemas. Throws only what the file
 * system throws.
 */
export function readLog(path: string, { checked }: { checked: boolean }): LogContent {
  const content: LogContent = { header: undefined, facts: [], damaged: [], keepBytes: 0, open: false };
  forLinesTogether(path, 0, (together) => {
    const lines = checked ? undefined : decodeLines(together.bytes);
    if (!lines) {
      eachOf(together, (bytes, offset, ended) => takeLine(content, bytes, offset, { ended, checked }));
      return;
    }
    for (const line of lines) take(content, line);
    content.keepBytes = together.offset + together.bytes.length + (together.ended ? 1 : 0);
    content.open = !together.ended;
  });
  // The first line belongs to the beginning, not behind blanks.
  return content.header || content.facts.length + content.damaged.length > 0
    ? content
    : { ...content, keepBytes: 0, open: false };
}

type LineKind = { ended: boolean; checked: boolean };

function takeLine(content: LogContent, bytes: Buffer, offset: number, { ended, checked }: LineKind): void {
  if (!take(content, decodeLine(bytes, { checked }))) {
    const { whole, lost } = splitDamaged(bytes);
    if (!ended && whole.length === 0 && isTornWrite(bytes)) return;
    for (const piece of whole) if (!take(content, decodeLine(piece, { checked }))) lost.push(piece);
    for (const piece of lost) content.damaged.push(Buffer.from(piece));
  }
  content.keepBytes = offset + bytes.length + (ended ? 1 : 0);
  content.open = !ended;
}

function take(content: LogContent, line: DecodedLine): boolean {
  if (line.kind === "fact") content.facts.push(line.fact);
  // A second header (two files joined) adds nothing.
  else if (line.kind === "header") content.header ??= line.header;
  return line.kind !== "bad";
}

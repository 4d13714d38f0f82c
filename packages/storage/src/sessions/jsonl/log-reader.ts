import { eachOf, forLinesTogether, readFirstLine } from "./line-reader.ts";
import { decodeLine, factHead, type HeaderLine, isTornWrite, splitDamaged } from "./log-line.ts";

/** One agent's log without its facts. */
export type LogContent = {
  header: HeaderLine | undefined;
  /** Copies of the bytes that make no sense. */
  damaged: Buffer[];
  /** The rest is the beginning of a line whose writing was interrupted, and which was never announced. */
  keepBytes: number;
  /** The last kept line lacks its LF. */
  open: boolean;
};

/** A fact, and where its line is in the file. `offset`, `length`: in bytes, without the LF. */
type FactLocation = { seq: number; kind: string; offset: number; length: number };

type VisitFact = (place: FactLocation) => void;

/** The first line, where it is a header. Throws what the file system throws. */
export function readHeader(path: string): HeaderLine | undefined {
  const line = decodeLine(readFirstLine(path));
  return line.kind === "header" ? line.header : undefined;
}

/**
 * Looks through a log to its end, in file order and in bounded memory. `checked`: only what fits the schemas counts; else a
 * sealed line is taken for what its beginning says, and whoever reads it later finds out. Throws only what the file system
 * throws.
 */
export function readLog(path: string, { checked }: { checked: boolean }, visit: VisitFact): LogContent {
  const content: LogContent = { header: undefined, damaged: [], keepBytes: 0, open: false };
  let facts = 0;
  const scan = {
    content,
    checked,
    visit(place: FactLocation) {
      facts += 1;
      visit(place);
    },
  };
  forLinesTogether(path, 0, (together) =>
    eachOf(together, (bytes, offset, ended) => takeLine(scan, { bytes, offset }, ended)),
  );
  // The first line belongs to the beginning, not after blank lines.
  return content.header || facts + content.damaged.length > 0 ? content : { ...content, keepBytes: 0, open: false };
}

type LogScan = { content: LogContent; checked: boolean; visit: VisitFact };
type LineAt = { bytes: Buffer; offset: number };

function takeLine(scan: LogScan, line: LineAt, ended: boolean): void {
  const { content } = scan;
  const { bytes, offset } = line;
  if (!take(scan, line)) {
    const { whole, lost } = splitDamaged(bytes);
    if (!ended && whole.length === 0 && isTornWrite(bytes)) return;
    for (const piece of whole) {
      const at = offset + piece.byteOffset - bytes.byteOffset;
      if (!take(scan, { bytes: piece, offset: at })) lost.push(piece);
    }
    for (const piece of lost) content.damaged.push(Buffer.from(piece));
  }
  content.keepBytes = offset + bytes.length + (ended ? 1 : 0);
  content.open = !ended;
}

/** False when the line makes no sense. */
function take({ content, checked, visit }: LogScan, { bytes, offset }: LineAt): boolean {
  const head = checked ? undefined : factHead(bytes);
  // The folder of a subagent is named in the rest of the line.
  if (head && head.kind !== "subagent_update") {
    visit({ seq: head.seq, kind: head.kind, offset, length: bytes.length });
    return true;
  }
  const line = decodeLine(bytes, { checked });
  if (line.kind === "fact") {
    const { seq, update } = line.fact;
    visit({ seq, kind: update.sessionUpdate, offset, length: bytes.length });
  }
  // A second header (two files joined) adds nothing.
  else if (line.kind === "header") content.header ??= line.header;
  return line.kind !== "bad";
}

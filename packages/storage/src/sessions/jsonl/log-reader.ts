import { eachOf, forLinesTogether, readFirstLine } from "./line-reader.ts";
import { decodeLine, factHead, type HeaderLine, isTornWrite, splitDamaged } from "./log-line.ts";

/** One agent's log without its facts. */
export type LogContent = {
  header: HeaderLine | undefined;
  /** Copies of unreadable bytes. */
  damaged: Buffer[];
  /** The rest is the beginning of a line: its writing was interrupted, and it was never announced. */
  keepBytes: number;
  /** The last kept line lacks its LF. */
  open: boolean;
};

/** A fact, and the position of its line in the file. `offset`, `length`: in bytes, without the LF. */
type FactLocation = { seq: number; kind: string; offset: number; length: number };

type VisitFact = (place: FactLocation) => void;

/** The first line if it is a header. Throws file system errors. */
export function readHeader(path: string): HeaderLine | undefined {
  const line = decodeLine(readFirstLine(path));
  return line.kind === "header" ? line.header : undefined;
}

/**
 * Reads a log to its end, in file order and bounded memory. `checked`: only facts that fit the schemas count; otherwise
 * the beginning of a sealed line is believed, and whoever reads the fact later checks it. Throws only file system
 * errors.
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
  // A header counts only at the very beginning, not after blank lines.
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

/** False if the line is unreadable. */
function take({ content, checked, visit }: LogScan, { bytes, offset }: LineAt): boolean {
  const head = checked ? undefined : factHead(bytes);
  // The rest of the line names the subagent's folder.
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

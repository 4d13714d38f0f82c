import { closeSync, constants, openSync, writeSync } from "node:fs";
import { fileProblem } from "../files/file-problem.ts";
import { amount, size } from "../text/amount.ts";
import { plainText } from "../text/plain-text.ts";

const HEAD_BYTES = 10_000;
const TAIL_BYTES = 20_000;
const KEEP_BYTES = HEAD_BYTES + TAIL_BYTES;
/** A command that prints more than this has gone wrong. */
export const MAX_OUTPUT_BYTES = 50_000_000;

export type CapturedOutput = {
  /** All of it, or head and tail in whole lines with a note between; plain text, at most some 30 kB. */
  text: string;
  /** Where everything is, when `text` is not everything. */
  fullOutputPath?: string;
  /** Bytes that are not text were removed or replaced. */
  notText: boolean;
};

export interface OutputCapture {
  /** False when the limit is reached, and this text was not stored. */
  take(bytes: Buffer): boolean;
  end(): CapturedOutput;
}

/** Stores the output of a command: short output in memory, the rest of a long one in the file that `spill` creates. */
export function createOutputCapture(spill: () => string): OutputCapture {
  let all: Buffer[] = [];
  let head: Buffer | undefined;
  const tail = createTail();
  let totalBytes = 0;
  let totalLines = 0;
  let nuls = 0;
  let file: SpillFile | undefined;

  const overflow = () => {
    const bytes = Buffer.concat(all);
    all = [];
    head = bytes.subarray(0, HEAD_BYTES);
    tail.push(bytes.subarray(HEAD_BYTES));
    file = openSpill(spill);
    file.append(bytes);
  };
  return {
    take(raw) {
      const bytes = raw.includes(0) ? raw.filter((byte) => byte !== 0) : raw;
      nuls += raw.length - bytes.length;
      totalBytes += raw.length;
      for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) totalLines++;
      if (head) {
        file?.append(bytes);
        tail.push(bytes);
      } else {
        all.push(Buffer.from(bytes));
        if (totalBytes > KEEP_BYTES) overflow();
      }
      return totalBytes <= MAX_OUTPUT_BYTES;
    },
    end() {
      file?.close();
      const where = file?.path ? `everything is in ${file.path}` : `the rest could not be saved: ${file?.problem}`;
      const kept = { notText: nuls > 0, ...(file?.path ? { fullOutputPath: file.path } : {}) };
      const parts = head ? headAndTail(head, tail.bytes()) : { head: Buffer.concat(all).toString(), tail: "" };
      const strange = strangeCount(parts.head) + strangeCount(parts.tail);
      if (nuls > totalBytes / 10 || strange > (parts.head.length + parts.tail.length) / 10) {
        const hint = "not shown: send it to a file, or look at it with xxd or strings";
        return { ...kept, text: `[${size(totalBytes)} of binary output, ${hint}]\n`, notText: false };
      }
      if (strange > 0) kept.notText = true;
      if (!head) return { ...kept, text: plainText(parts.head) };
      const shownLines = lineCount(parts.head) + lineCount(parts.tail);
      const left = `${amount(Math.max(1, totalLines - shownLines), "line")} of ${size(totalBytes)} left out`;
      return { ...kept, text: `${plainText(parts.head)}[… ${left}; ${where}]\n${plainText(parts.tail)}` };
    },
  };
}

/** The last bytes of a stream. Old pieces are dropped whole, so that a flood in small pieces is not copied each time. */
function createTail(): { push(bytes: Uint8Array): void; bytes(): Buffer } {
  const pieces: Buffer[] = [];
  let length = 0;
  return {
    push(bytes) {
      pieces.push(Buffer.from(bytes));
      length += bytes.length;
      for (let first = pieces[0]; first && length - first.length >= TAIL_BYTES; first = pieces[0]) {
        length -= first.length;
        pieces.shift();
      }
    },
    bytes: () => Buffer.concat(pieces),
  };
}

/** Bytes that were no UTF-8. */
function strangeCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\uFFFD"); at !== -1; at = text.indexOf("\uFFFD", at + 1)) count++;
  return count;
}

/** Cuts at line ends; within a line only where a single one is too long, and never within a character. */
function headAndTail(head: Buffer, tail: Buffer): { head: string; tail: string } {
  const lineEnd = head.lastIndexOf(10);
  const headText = lineEnd === -1 ? `${whole(head.toString())}\n` : head.toString("utf8", 0, lineEnd + 1);
  const last = tail.subarray(-TAIL_BYTES);
  const lineStart = last.indexOf(10);
  const tailText =
    lineStart === -1 || lineStart === last.length - 1 ? last.toString() : last.toString("utf8", lineStart + 1);
  return { head: headText, tail: whole(tailText) };
}

/** Removes incomplete characters at both ends. */
function whole(text: string): string {
  return text.replace(/^\uFFFD{1,3}|\uFFFD$/g, "");
}

function lineCount(text: string): number {
  return text.split("\n").length - 1;
}

type SpillFile = { path?: string; problem?: string; append(bytes: Uint8Array): void; close(): void };

/** Written synchronously: a command that prints faster than the disk writes has to wait. */
function openSpill(spill: () => string): SpillFile {
  let descriptor: number | undefined;
  const file: SpillFile = {
    append(bytes) {
      if (descriptor === undefined) return;
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      } catch (error) {
        file.problem = fileProblem(error);
        delete file.path;
        file.close();
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
  try {
    file.path = spill();
    descriptor = openSync(file.path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
  } catch (error) {
    delete file.path;
    file.problem = fileProblem(error);
  }
  return file;
}

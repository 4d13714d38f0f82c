import { closeSync, constants, openSync, writeSync } from "node:fs";
import { amount, byteSize } from "@harness/protocol";
import { decodedOutput, isBinaryOutput } from "../encodings/decoded-output.ts";
import type { EncodingSettings } from "../encodings/file-encoding.ts";
import { fileProblem } from "../files/file-problem.ts";
import { plainText } from "../text/plain-text.ts";
import { createLineFold } from "./line-fold.ts";

const HEAD_BYTES = 10_000;
const TAIL_BYTES = 20_000;
const KEEP_BYTES = HEAD_BYTES + TAIL_BYTES;
/** A command that prints more than this has gone wrong. */
export const MAX_OUTPUT_BYTES = 50_000_000;

export type CapturedOutput = {
  /** All of it, or its head and tail in whole lines with a note in between; plain text, at most about 30 kB. */
  text: string;
  /** The file with the unchanged output, if it was long. */
  fullOutputPath?: string;
  /** True if bytes that are not text were removed or replaced. */
  notText: boolean;
};

export interface OutputCapture {
  /** False if the limit was reached and this text was not stored. */
  take(bytes: Buffer): boolean;
  end(): CapturedOutput;
}

/**
 * Stores the output of a command: short output in memory, long output in the file that `spill` creates. Lines that
 * overwrite themselves are folded before measuring and cutting; the file contains them in full.
 */
export function createOutputCapture(spill: () => string, settings: EncodingSettings): OutputCapture {
  const printed = createSpillStore(spill);
  const shown = createShownPart((bytes) => decodedOutput(bytes, settings));
  let totalBytes = 0;
  let nuls = 0;
  const fold = createLineFold((bytes) => shown.take(bytes));
  return {
    take(raw) {
      const bytes = raw.includes(0) ? raw.filter((byte) => byte !== 0) : raw;
      nuls += raw.length - bytes.length;
      totalBytes += raw.length;
      printed.take(bytes);
      fold.push(Buffer.from(bytes));
      return totalBytes <= MAX_OUTPUT_BYTES;
    },
    end() {
      fold.end();
      const file = printed.end();
      const where = file?.path ? `everything is in ${file.path}` : `the rest could not be saved: ${file?.problem}`;
      const kept = { notText: nuls > 0, ...(file?.path ? { fullOutputPath: file.path } : {}) };
      const parts = shown.parts();
      if (isBinaryOutput(parts.sample, nuls)) {
        const hint = "not shown: send it to a file, or look at it with xxd or strings";
        return { ...kept, text: `[${byteSize(totalBytes)} of binary output, ${hint}]\n`, notText: false };
      }
      if (/\uFFFD/.test(parts.head + parts.tail)) kept.notText = true;
      if (!parts.isCut) return { ...kept, text: plainText(parts.head) };
      const shownLines = lineCount(parts.head) + lineCount(parts.tail);
      const left = `${amount(Math.max(1, parts.lines - shownLines), "line")} of ${byteSize(totalBytes)} left out`;
      return { ...kept, text: `${plainText(parts.head)}[… ${left}; ${where}]\n${plainText(parts.tail)}` };
    },
  };
}

/** Everything that was printed: in memory at first, later in a file. */
function createSpillStore(spill: () => string): { take(bytes: Uint8Array): void; end(): SpillFile | undefined } {
  let held: Uint8Array[] = [];
  let length = 0;
  let file: SpillFile | undefined;
  return {
    take(bytes) {
      length += bytes.length;
      if (!file && length <= KEEP_BYTES) {
        held.push(Buffer.from(bytes));
        return;
      }
      if (!file) {
        file = openSpill(spill);
        file.append(Buffer.concat(held));
        held = [];
      }
      file.append(bytes);
    },
    end() {
      file?.close();
      return file;
    },
  };
}

/** `sample`: bytes that show whether it is text. */
type ShownOutput = { head: string; tail: string; lines: number; isCut: boolean; sample: Buffer };

type Decode = (bytes: Buffer) => string;

/** The part to show: everything, or the beginning and the end. */
function createShownPart(decode: Decode): { take(bytes: Buffer): void; parts(): ShownOutput } {
  let all: Buffer[] = [];
  let length = 0;
  let lines = 0;
  let head: Buffer | undefined;
  const tail = createTail();
  return {
    take(bytes) {
      length += bytes.length;
      for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
      if (head) {
        tail.push(bytes);
        return;
      }
      all.push(bytes);
      if (length <= KEEP_BYTES) return;
      const whole = Buffer.concat(all);
      all = [];
      head = whole.subarray(0, HEAD_BYTES);
      tail.push(whole.subarray(HEAD_BYTES));
    },
    parts: () => {
      if (head) return { ...headAndTail(head, tail.bytes(), decode), lines, isCut: true, sample: head };
      const sample = Buffer.concat(all);
      return { head: decode(sample), tail: "", lines, isCut: false, sample };
    },
  };
}

/**
 * The last bytes of a stream. Old pieces are dropped as a whole, so that a flood of small pieces is not copied each
 * time.
 */
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

/** Cuts at line ends; inside a line only if a single one is too long, and never inside a character. */
function headAndTail(head: Buffer, tail: Buffer, decode: Decode): { head: string; tail: string } {
  const lineEnd = head.lastIndexOf(10);
  const headText = lineEnd === -1 ? `${whole(decode(head))}\n` : decode(head.subarray(0, lineEnd + 1));
  const last = tail.subarray(-TAIL_BYTES);
  const lineStart = last.indexOf(10);
  const tailText = decode(
    lineStart === -1 || lineStart === last.length - 1 ? characters(last) : last.subarray(lineStart + 1),
  );
  return { head: headText, tail: whole(tailText) };
}

/** Without the rest of a UTF-8 character at the start. */
function characters(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
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

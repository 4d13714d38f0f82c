import { decodedOutput } from "../encodings/decoded-output.ts";
import type { EncodingSettings } from "../encodings/file-encoding.ts";

const FLUSH_MS = 30;
const FLUSH_BYTES = 8 * 1024;
/** Beyond this only samples are shown: nobody reads faster, and the full output is stored elsewhere. */
const MAX_WHOLE_CHARS = 256 * 1024;
const SAMPLE_MS = 500;
const SAMPLE_CHARS = 2 * 1024;
const MAX_SAMPLED_BYTES = 16 * 1024;

/** Live output for people: in few pieces, never cut inside a character, and never more than they can follow. */
export interface LiveOutput {
  push(bytes: Buffer): void;
  end(): void;
}

export function createLiveOutput(emit: (text: string) => void, settings: EncodingSettings): LiveOutput {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let left = MAX_WHOLE_CHARS;
  /** The length of the last line so far: overwriting it costs nothing. */
  let lineChars = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (isEnd = false) => {
    clearTimeout(timer);
    timer = undefined;
    const bytes = Buffer.concat(held);
    const whole = isEnd ? bytes.length : wholeEnd(bytes);
    held = whole === bytes.length ? [] : [bytes.subarray(whole)];
    heldBytes = bytes.length - whole;
    const text = lastFrames(decodedOutput(bytes.subarray(0, whole), settings));
    if (text === "") return;
    const shown = left > 0 || text.length <= SAMPLE_CHARS ? text : `\n[…]\n${text.slice(-SAMPLE_CHARS).toWellFormed()}`;
    const isOverwriting = shown.startsWith("\r");
    const newline = shown.lastIndexOf("\n");
    left += (isOverwriting ? lineChars : 0) - shown.length;
    lineChars = newline < 0 ? shown.length + (isOverwriting ? 0 : lineChars) : shown.length - newline - 1;
    emit(shown);
  };
  return {
    push(bytes) {
      held.push(Buffer.from(bytes));
      heldBytes += bytes.length;
      if (left <= 0 && heldBytes > MAX_SAMPLED_BYTES) {
        const all = Buffer.concat(held);
        held = [all.subarray(-MAX_SAMPLED_BYTES / 2)];
        heldBytes = MAX_SAMPLED_BYTES / 2;
      }
      if (left > 0 && heldBytes >= FLUSH_BYTES) flush();
      else timer ??= setTimeout(flush, left > 0 ? FLUSH_MS : SAMPLE_MS);
    },
    end: () => flush(true),
  };
}

/** Of each line that overwrites itself the last frame; a carriage return at its start stays. */
function lastFrames(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .split("\n")
    .map((line) => {
      const ended = line.endsWith("\r") ? line.slice(0, -1) : line;
      const frame = ended.lastIndexOf("\r");
      return frame <= 0 ? line : line.slice(frame);
    })
    .join("\n");
}

/** Where an incomplete UTF-8 character at the end begins. */
function wholeEnd(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    return size > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

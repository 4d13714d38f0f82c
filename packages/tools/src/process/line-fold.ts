/** A longer line is passed on in parts. */
const MAX_HELD_BYTES = 64 * 1024;
const RETURN = 13;
const LINE_FEED = 10;
const BACKSPACE = 8;
const ESCAPE = 27;
/** Fewer bytes are not worth a second look. */
const MIN_OVERWRITTEN_BYTES = 4 * 1024;

/**
 * Output as a screen would show it: a line is overwritten after a carriage return, so that only the last frame of a
 * progress bar is passed on. Accepts pieces of any size; linear time.
 */
export function createLineFold(pass: (bytes: Buffer) => void): { push(bytes: Buffer): void; end(): void } {
  let line: Buffer[] = [];
  let length = 0;
  let overwrittenLimit = MIN_OVERWRITTEN_BYTES;
  let isAtStart = false;
  const clear = () => {
    line = [];
    length = 0;
    overwrittenLimit = MIN_OVERWRITTEN_BYTES;
  };
  const release = () => {
    if (length > 0) pass(overwritten(Buffer.concat(line)));
    clear();
  };
  const add = (piece: Buffer) => {
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      line.push(piece.subarray(0, end));
      length += end;
      release();
    }
    if (end === piece.length) return;
    // The reader reuses its buffer, so the piece is copied.
    line.push(Buffer.from(piece.subarray(end)));
    length += piece.length - end;
    if (length > overwrittenLimit) {
      const shown = overwritten(Buffer.concat(line));
      line = [shown];
      length = shown.length;
      // Twice as long as what is left of it: each byte is looked at a few times at most.
      overwrittenLimit = Math.max(MIN_OVERWRITTEN_BYTES, 2 * length);
    }
    if (length > MAX_HELD_BYTES) release();
  };
  return {
    push(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (isAtStart) {
          while (bytes[at] === RETURN) at += 1;
          if (at === bytes.length) return;
          // Before a line feed it only ends the line.
          if (bytes[at] !== LINE_FEED) clear();
          isAtStart = false;
        }
        const next = bytes.indexOf(RETURN, at);
        add(bytes.subarray(at, next < 0 ? bytes.length : next));
        isAtStart = next >= 0;
        at = next < 0 ? bytes.length : next + 1;
      }
    },
    end: release,
  };
}

/** A control sequence; those that only set colours are dropped later anyway (ECMA-48, 5.4). */
const SEQUENCE = /^\[[0-?]*[ -/]*[@-~]/;
const MAX_SEQUENCE_BYTES = 64;
/** Moves to the start of the line, or erases all of it. */
const TO_START = /^\[(?:[01]?[G`]|2K)$/;

/** Lines without what backspaces and moves to their start overwrite. */
function overwritten(bytes: Buffer): Buffer {
  if (!bytes.includes(BACKSPACE) && !bytes.includes(ESCAPE)) return bytes;
  const kept = Buffer.allocUnsafe(bytes.length);
  let start = 0;
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const sequence = byte === ESCAPE ? sequenceAt(bytes, at + 1) : "";
    if (sequence !== "") {
      if (TO_START.test(sequence)) end = start;
      at += sequence.length;
    } else if (byte === BACKSPACE) end = previousCharacter(kept, start, end);
    else {
      kept[end++] = byte;
      if (byte === LINE_FEED) start = end;
    }
  }
  return kept.subarray(0, end);
}

function sequenceAt(bytes: Buffer, at: number): string {
  return SEQUENCE.exec(bytes.toString("latin1", at, at + MAX_SEQUENCE_BYTES))?.[0] ?? "";
}

/** Where the last UTF-8 character begins. */
function previousCharacter(bytes: Buffer, start: number, end: number): number {
  let at = end;
  while (at > start && ((bytes[at - 1] as number) & 0xc0) === 0x80) at--;
  return Math.max(start, at - 1);
}

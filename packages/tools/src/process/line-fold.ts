/** A longer line is passed on in parts. */
const MAX_HELD_BYTES = 64 * 1024;
const RETURN = 13;
const LINE_FEED = 10;

/**
 * Output as a screen would show it: a line is overwritten after a carriage return, so that only the last frame of a
 * progress bar is passed on. Accepts pieces of any size; linear time.
 */
export function createLineFold(pass: (bytes: Buffer) => void): { push(bytes: Buffer): void; end(): void } {
  let line: Buffer[] = [];
  let length = 0;
  let isAtStart = false;
  const clear = () => {
    line = [];
    length = 0;
  };
  const release = () => {
    if (length > 0) pass(Buffer.concat(line));
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

import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import type { Redactor } from "@harness/storage";

export type RedactedStream = {
  push(text: string): void;
  /** What was held back goes out. */
  end(): void;
};

/** Text in pieces, without secrets: what may be the beginning of one waits for what follows. */
export function redactStream(redactor: () => Redactor, emit: (text: string) => void): RedactedStream {
  let held = "";
  const put = (text: string) => {
    if (text !== "") emit(redactor().hide(text));
  };
  return {
    push(piece) {
      const text = held + piece;
      const end = text.length - redactor().open(text);
      held = text.slice(end);
      put(text.slice(0, end));
    },
    end() {
      put(held);
      held = "";
    },
  };
}

const PIECE_BYTES = 256 * 1024;

/**
 * Takes the secrets out of a file, in its place and without changing its size: that needs no room on the disk, whatever
 * else the file holds stays byte for byte, and it costs the memory of a piece. Throws what the file system throws.
 */
export async function blankSecretsInFile(path: string, redactor: Redactor): Promise<void> {
  const fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  const buffer = Buffer.alloc(PIECE_BYTES);
  try {
    let held = "";
    for (let at = 0; ; ) {
      const read = readSync(fd, buffer, 0, PIECE_BYTES, at);
      // A character a byte: places in the text are places in the file.
      const text = held + buffer.toString("latin1", 0, read);
      const start = at - held.length;
      at += read;
      const end = read === 0 ? text.length : text.length - redactor.open(text);
      const piece = text.slice(0, end);
      const clean = redactor.blank(piece);
      if (clean !== piece) writeAll(fd, Buffer.from(clean, "latin1"), start);
      if (read === 0) return;
      held = text.slice(end);
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    closeSync(fd);
  }
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
}

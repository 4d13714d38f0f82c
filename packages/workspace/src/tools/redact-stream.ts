import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import type { Redactor } from "@harness/storage";

export type RedactedStream = {
  push(text: string): void;
  /** Emits the text that was held back. */
  end(): void;
};

/**
 * Removes secrets from text that comes in pieces: a possible beginning of a secret is held back until more text
 * arrives.
 */
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
 * Blanks the secrets in a file, in place and without changing its size: that needs no disk space, keeps all other
 * bytes, and costs the memory of one piece. Throws file system errors.
 */
export async function blankSecretsInFile(path: string, redactor: Redactor): Promise<void> {
  const fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  const buffer = Buffer.alloc(PIECE_BYTES);
  try {
    let held = "";
    for (let at = 0; ; ) {
      const read = readSync(fd, buffer, 0, PIECE_BYTES, at);
      // One character per byte: positions in the text are positions in the file.
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

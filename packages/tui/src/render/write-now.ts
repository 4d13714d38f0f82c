import { closeSync, constants, openSync, writeSync } from "node:fs";

/** How often, and how long each time, to wait for a terminal that accepts nothing. */
const TRIES = 20;
const TRY_MS = 10;

/**
 * Writes to the terminal of this process at once, past everything queued. Gives up soon on a terminal that does not
 * read: it must not hold up a process that has to end.
 */
export function writeNow({ fd }: { readonly fd: number }, data: string): void {
  try {
    const tty = openTerminal();
    let rest = Buffer.from(data);
    for (let tries = 0; rest.length > 0 && tries < TRIES; ) {
      const written = writeSome(tty ?? fd, rest);
      rest = rest.subarray(written);
      if (written > 0) continue;
      tries += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_MS);
    }
    if (tty !== undefined) closeSync(tty);
  } catch {
    // The terminal has been closed; there is nothing to report to.
  }
}

/** The same terminal, opened so that writing does not block; undefined if this process has none. */
function openTerminal(): number | undefined {
  try {
    return openSync("/dev/tty", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}

function writeSome(tty: number, bytes: Uint8Array): number {
  try {
    return writeSync(tty, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw error;
  }
}

import { closeSync, openSync, readSync } from "node:fs";

/** Most environments are smaller. */
const FIRST_READ_BYTES = 16_384;
/** The kernel gives no program a larger one. */
const MAX_BYTES = 16_777_216;

/**
 * Reads these variables of another process, whose environment may contain any secret of this user: nothing else of it
 * is kept, and the memory that held it is wiped. Linux. Throws if there is no such process, or it belongs to another
 * user.
 */
export function readProcessVariables(pid: number | string, names: readonly string[]): ReadonlyMap<string, string> {
  const file = openSync(`/proc/${pid}/environ`, "r");
  try {
    return readVariables(file, names);
  } finally {
    closeSync(file);
  }
}

function readVariables(file: number, names: readonly string[]): ReadonlyMap<string, string> {
  for (let size = FIRST_READ_BYTES; ; size *= 4) {
    const bytes = Buffer.alloc(size);
    try {
      const length = readFrom(file, bytes);
      if (length < size || size >= MAX_BYTES) return pick(bytes.subarray(0, length), names);
    } finally {
      bytes.fill(0);
    }
  }
}

/** Reads from its start. The kernel returns at most a page or so at once. */
function readFrom(file: number, bytes: Buffer): number {
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(file, bytes, length, bytes.length - length, length);
    if (count === 0) break;
    length += count;
  }
  return length;
}

/** Picks from `NAME=value` entries, each terminated by a zero byte, proc_pid_environ(5). */
function pick(bytes: Buffer, names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of names) {
    const value = valueIn(bytes, name);
    if (value !== undefined) found.set(name, value);
  }
  return found;
}

function valueIn(bytes: Buffer, name: string): string | undefined {
  const entry = `${name}=`;
  for (let at = bytes.indexOf(entry); at !== -1; at = bytes.indexOf(entry, at + 1)) {
    if (at > 0 && bytes[at - 1] !== 0) continue;
    const end = bytes.indexOf(0, at);
    return bytes.toString("latin1", at + entry.length, end === -1 ? bytes.length : end);
  }
  return undefined;
}

import { closeSync, constants, lstatSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { factsOf } from "@harness/core";
import { openRegularFile } from "@harness/host";
import type { ExportSource } from "./export-source.ts";

const PIECE_BYTES = 256 * 1024;
/** No secret is longer: a piece that still may end inside a secret by then is given up. */
const MAX_HELD_BYTES = 1024 * 1024;

type Hiding = Pick<ExportSource, "hide" | "open">;

/** The paths of a session's saved texts: all of its own, and those of its parents that it names. */
export function savedTextPaths({
  savedTexts: [own, ...shared],
  pages,
}: Pick<ExportSource, "savedTexts" | "pages">): string[] {
  const named = new Set<string>();
  if (shared.some((folder) => namesIn(folder).length > 0)) {
    for (const fact of factsOf(pages)) {
      const text = JSON.stringify(fact);
      for (const folder of shared)
        for (const name of text.split(JSON.stringify(`${folder}/`).slice(1, -1)).slice(1))
          named.add(join(folder, /^[\w-]+(?:\.[\w-]+)*/.exec(name)?.[0] ?? ""));
    }
  }
  const all = (folder: string) => namesIn(folder).map((name) => join(folder, name));
  return [...(own === undefined ? [] : all(own)), ...shared.flatMap(all).filter((path) => named.has(path))];
}

function namesIn(folder: string): string[] {
  try {
    // A link could lead anywhere.
    if (!lstatSync(folder).isDirectory()) return [];
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** A saved text in pieces, with secrets removed and all other bytes unchanged. Throws file system errors. */
export function* savedTextPieces(path: string, source: Hiding): Generator<Buffer, void> {
  const fd = openRegularFile(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const form = wideForm(fd) ?? { encoding: "latin1", isSwapped: false };
    let held: Buffer = Buffer.alloc(0);
    for (let at = 0; ; ) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const read = readSync(fd, piece, 0, PIECE_BYTES, at);
      at += read;
      const bytes = Buffer.concat([held, piece.subarray(0, read)]);
      const { clean, rest } = withoutSecrets(bytes, source, { ...form, isEnd: read === 0 });
      if (clean.length > 0) yield clean;
      if (read === 0) return;
      held = rest;
    }
  } finally {
    closeSync(fd);
  }
}

type TextForm = { encoding: "latin1" | "utf16le"; isSwapped: boolean };

/** The two-byte encoding that the text's byte order mark announces; undefined if there is none. */
function wideForm(fd: number): TextForm | undefined {
  const start = Buffer.alloc(4096);
  const bytes = start.subarray(0, readSync(fd, start, 0, start.length, 0));
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (bytes.length < 4 || Math.max(even, odd) < bytes.length / 8) return undefined;
  return { encoding: "utf16le", isSwapped: even > odd };
}

/** One character per byte or pair of bytes, so that all other bytes survive unchanged. */
function withoutSecrets(
  bytes: Buffer,
  { hide, open }: Hiding,
  { encoding, isSwapped, isEnd }: TextForm & { isEnd: boolean },
): { clean: Buffer; rest: Buffer } {
  const size = encoding === "latin1" ? 1 : 2;
  const whole = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % size)));
  if (isSwapped) whole.swap16();
  const text = whole.toString(encoding);
  const isTooLong = bytes.length > MAX_HELD_BYTES;
  const end = isEnd || isTooLong ? text.length : text.length - open(text);
  const piece = text.slice(0, end);
  const hidden = hide(piece);
  const clean = hidden === piece ? whole.subarray(0, end * size) : Buffer.from(hidden, encoding);
  if (isSwapped) clean.swap16();
  const rest = bytes.subarray(end * size);
  return isEnd ? { clean: Buffer.concat([clean, rest]), rest: Buffer.alloc(0) } : { clean, rest };
}

import { isUtf8 } from "node:buffer";
import { type ImageInfo, imageInfo } from "../images/image-info.ts";

type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1";
export type ContentKind =
  | { kind: "text"; encoding: TextEncoding; bom: boolean }
  | { kind: "image"; image: ImageInfo }
  | { kind: "binary"; what: string };

/**
 * Determines the kind of a file's content from its first bytes (64 kB are enough). Names are unreliable: a `.png` may
 * be text.
 */
export function contentKind(head: Buffer): ContentKind {
  if (head[0] === 0xff && head[1] === 0xfe) return { kind: "text", encoding: "utf-16le", bom: true };
  if (head[0] === 0xfe && head[1] === 0xff) return { kind: "text", encoding: "utf-16be", bom: true };
  const image = imageInfo(head);
  if (image) return { kind: "image", image };
  const bom = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const what = binaryName(head);
  if (head.includes(0)) return { kind: "binary", what: what ?? "binary data" };
  if (isUtf8(wholeCharacters(head))) return { kind: "text", encoding: "utf-8", bom };
  // Neither UTF-8 nor full of control bytes: legacy single-byte text.
  if (what || controlShare(head) > 0.02) return { kind: "binary", what: what ?? "binary data" };
  return { kind: "text", encoding: "latin1", bom: false };
}

/** Removes an incomplete last character. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  const lead = bytes[end - 1] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - end + 1 < needed ? bytes.subarray(0, end - 1) : bytes;
}

function controlShare(bytes: Buffer): number {
  let controls = 0;
  for (const byte of bytes) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 27) controls++;
  return bytes.length === 0 ? 0 : controls / bytes.length;
}

const signatures: readonly (readonly [start: string, name: string])[] = [
  ["\x7fELF", "ELF program"],
  ["MZ", "Windows program"],
  ["%PDF", "PDF document"],
  ["PK\x03\x04", "ZIP archive or office document"],
  ["\x1f\x8b", "gzip archive"],
  ["BZh", "bzip2 archive"],
  ["\xfd7zXZ", "xz archive"],
  ["\x28\xb5\x2f\xfd", "zstd archive"],
  ["7z\xbc\xaf", "7-zip archive"],
  ["SQLite format 3", "SQLite database"],
  ["\0asm", "WebAssembly module"],
  ["\xca\xfe\xba\xbe", "Java class or macOS program"],
  ["\xcf\xfa\xed\xfe", "macOS program"],
  ["OggS", "Ogg media"],
  ["ID3", "MP3 audio"],
  ["RIFF", "RIFF media"],
  ["wOFF", "web font"],
  ["wOF2", "web font"],
];

function binaryName(head: Buffer): string | undefined {
  const start = head.toString("latin1", 0, 16);
  return signatures.find(([signature]) => start.startsWith(signature))?.[1];
}

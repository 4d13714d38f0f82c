import { isUtf8 } from "node:buffer";
import { contentKind } from "../files/content-kind.ts";
import { detectedEncoding } from "./detect-encoding.ts";
import { charsetOf } from "./editor-config.ts";
import { type TextCodec, textCodec } from "./text-codec.ts";

/** Larger files are UTF-8 or UTF-16 with a byte order mark, or text that cannot be changed here. */
export const MAX_LEGACY_BYTES = 10 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;
const BOM = "\uFEFF";

/** Advice for a file of unknown encoding. */
export const ENCODING_ADVICE =
  "name its encoding by charset in .editorconfig or by the setting file_encoding, or convert it, e.g. with iconv";

/** The setting `file_encoding`: a label, or empty; read for each call. */
export type EncodingSettings = { readonly fileEncoding?: string | undefined };

/** The encoding of a file's text. `from`: the source that states it; absent: only its bytes. */
export type FileEncoding = TextCodec & { text: string; from?: ".editorconfig" | "file_encoding" | "characters" };

/**
 * Determines a file's encoding: its byte order mark, then `charset` of `.editorconfig`, then UTF-8 if its bytes are
 * valid, then the setting, then an East Asian encoding if the text clearly uses one. Undefined: unknown.
 */
export function fileEncoding(
  { realPath, bytes }: { realPath: string; bytes: Buffer },
  settings: EncodingSettings,
): FileEncoding | undefined {
  const mark = markOf(bytes);
  if (mark) return decoded(mark, bytes);
  const declared = bytes.length > MAX_LEGACY_BYTES ? undefined : charsetOf(realPath);
  const byConfig = declared === undefined ? undefined : declaredEncoding(declared, bytes);
  if (byConfig) return { ...byConfig, from: ".editorconfig" };
  if (isUtf8(bytes)) return decoded("utf-8", bytes);
  if (bytes.length > MAX_LEGACY_BYTES || contentKind(bytes.subarray(0, HEAD_BYTES)).kind !== "text") return undefined;
  const named = settingCodec(settings);
  const bySetting = named && decoded(named.name, bytes);
  if (bySetting) return { ...bySetting, from: "file_encoding" };
  const detected = detectedEncoding(bytes);
  const byCharacters = detected && decoded(detected, bytes);
  return byCharacters && { ...byCharacters, from: "characters" };
}

/** The encoding that the setting names for text that is not UTF-8; undefined: none. */
export function settingCodec({ fileEncoding: label = "" }: EncodingSettings): TextCodec | undefined {
  const codec = label === "" ? undefined : textCodec(label);
  return codec && !isUnicode(codec) ? codec : undefined;
}

/** The encoding for a new file: the one in `.editorconfig`, or UTF-8. `mark`: the beginning of its text. */
export function newFileEncoding(realPath: string): TextCodec & { mark: string } {
  const charset = charsetOf(realPath) ?? "utf-8";
  const codec = textCodec(nameOf(charset)) ?? utf8();
  return { ...codec, mark: charset === "utf-8-bom" || isWide(codec) ? BOM : "" };
}

/** Content for an existing file, with the byte order mark that UTF-16 needs. */
export function withMark(content: string, { name, text }: Pick<FileEncoding, "name" | "text">): string {
  return isWide({ name }) && text.startsWith(BOM) && !content.startsWith(BOM) ? BOM + content : content;
}

function declaredEncoding(charset: string, bytes: Buffer): FileEncoding | undefined {
  const encoding = decoded(nameOf(charset), bytes);
  if (!encoding || encoding.name === "utf-8") return undefined;
  const content = contentKind(bytes.subarray(0, HEAD_BYTES));
  if (!isWide(encoding)) return content.kind === "text" ? encoding : undefined;
  // Without a mark, UTF-16 looks like binary data, because every line end has a zero byte. Text never contains U+0000.
  const mayBeWide = content.kind === "binary" && content.what === "binary data";
  return mayBeWide && !encoding.text.includes("\0") ? encoding : undefined;
}

function nameOf(charset: string): string {
  return charset === "utf-8-bom" ? "utf-8" : charset;
}

function decoded(label: string, bytes: Buffer): FileEncoding | undefined {
  const codec = textCodec(label);
  const text = codec?.decode(bytes);
  return codec && text !== undefined ? { ...codec, text } : undefined;
}

function markOf(bytes: Buffer): "utf-16le" | "utf-16be" | "utf-8" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf && isUtf8(bytes)) return "utf-8";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

function isWide({ name }: { name: string }): boolean {
  return name === "utf-16le" || name === "utf-16be";
}

/** UTF-8 was tried before, and UTF-16 needs a mark, so a setting for all files cannot mean either. */
function isUnicode({ name }: { name: string }): boolean {
  return name === "utf-8" || isWide({ name });
}

function utf8(): TextCodec {
  return { name: "utf-8", decode: (bytes) => Buffer.from(bytes).toString(), encode: (text) => Buffer.from(text) };
}

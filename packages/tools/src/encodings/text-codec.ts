import { type ReverseTable, reverseTable } from "./reverse-table.ts";

/** A character that an encoding does not have, with its line, from 1. */
type Unencodable = { character: string; line: number };

/** Decodes and encodes text in one encoding, with a byte order mark as an ordinary character. */
export type TextCodec = {
  /** The name in the Encoding Standard, in lower case. */
  name: string;
  /** Undefined: the bytes are not text in this encoding. */
  decode(bytes: Uint8Array): string | undefined;
  encode(text: string): Buffer | Unencodable;
};

/** For one UTF-16 unit in any of these encodings: JIS X 0212 in EUC-JP. */
const MAX_BYTES_OF_UNIT = 3;

const twoBytes = ["gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"] as const;
export type TwoByteEncoding = (typeof twoBytes)[number];

/** Stateful encodings, and labels that are not encodings. */
const UNSUPPORTED = new Set(["iso-2022-jp", "x-user-defined", "replacement"]);

/** The codec for a label of the Encoding Standard, such as `cp1251`, `latin1` or `sjis`; undefined: not supported. */
export function textCodec(label: string): TextCodec | undefined {
  const name = encodingName(label);
  if (name === undefined) return undefined;
  const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true });
  return {
    name,
    decode(bytes) {
      try {
        return decoder.decode(bytes);
      } catch {
        return undefined;
      }
    },
    encode: encoderOf(name),
  };
}

/** The standard's name for the encoding of a label; undefined: not supported. */
export function encodingName(label: string): string | undefined {
  try {
    const { encoding } = new TextDecoder(label);
    return UNSUPPORTED.has(encoding) ? undefined : encoding;
  } catch {
    return undefined;
  }
}

function encoderOf(name: string): TextCodec["encode"] {
  if (name === "utf-8") return (text) => Buffer.from(text);
  if (name === "utf-16le") return wide;
  if (name === "utf-16be") return (text) => wide(text).swap16();
  const isTwoByte = (twoBytes as readonly string[]).includes(name);
  return (text) => encodeBy(reverseTable(name, { isTwoByte }), text);
}

function wide(text: string): Buffer {
  return Buffer.from(text.toWellFormed(), "utf16le");
}

function encodeBy(table: ReverseTable, text: string): Buffer | Unencodable {
  const bytes = Buffer.allocUnsafe(text.length * MAX_BYTES_OF_UNIT);
  let end = 0;
  let line = 1;
  for (const character of text) {
    const own = table.get(character);
    if (!own) return { character, line };
    if (character === "\n") line++;
    bytes.set(own, end);
    end += own.length;
  }
  return bytes.subarray(0, end);
}

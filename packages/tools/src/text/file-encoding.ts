/** The text of a file, with its byte order mark, and how it is written back. */
export type EncodedText = { text: string; encode(text: string): Buffer };

/** Undefined: it is neither UTF-8 nor UTF-16 with a byte order mark, or would not be written back to the same bytes. */
export function encodedText(bytes: Buffer): EncodedText | undefined {
  const encode = encoderOf(bytes);
  try {
    const text = new TextDecoder(encode.name, { fatal: true, ignoreBOM: true }).decode(bytes);
    return encode.to(text).equals(bytes) ? { text, encode: encode.to } : undefined;
  } catch {
    return undefined;
  }
}

/** Content for a file that has been there: with the byte order mark that UTF-16 needs. Undefined: the encoding is not known. */
export function encodedLike(content: string, bytes: Buffer): Buffer | undefined {
  const { name, to } = encoderOf(bytes);
  if (name !== "utf-8") return to(content.startsWith("\uFEFF") ? content : `\uFEFF${content}`);
  return encodedText(bytes) ? Buffer.from(content) : undefined;
}

type Encoder = { name: "utf-8" | "utf-16le" | "utf-16be"; to(text: string): Buffer };

function encoderOf(bytes: Buffer): Encoder {
  const wide = (text: string) => Buffer.from(text.toWellFormed(), "utf16le");
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { name: "utf-16le", to: wide };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { name: "utf-16be", to: (text) => wide(text).swap16() };
  return { name: "utf-8", to: (text) => Buffer.from(text) };
}

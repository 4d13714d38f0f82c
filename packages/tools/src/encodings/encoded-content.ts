import type { ToolContext } from "@harness/core";
import type { TextCodec } from "./text-codec.ts";

/** A file to write text to, as messages call it. */
type Target = { shown: string; codec: Pick<TextCodec, "name" | "encode"> };

/** The bytes of a text in the encoding of its file, or why they cannot be written. */
export function encodedContent(
  text: string,
  { shown, codec }: Target,
  { staged }: Pick<ToolContext, "staged">,
): Buffer | { problem: string } {
  const bytes = codec.encode(text);
  if ("character" in bytes) {
    const code = (bytes.character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const what = `${JSON.stringify(bytes.character)} (U+${code}) in line ${bytes.line}`;
    return {
      problem: `${shown} is in ${codec.name}, which has no ${what}: write it another way, or convert the file to UTF-8 first, e.g. with iconv.`,
    };
  }
  // Staged edits are kept as UTF-8.
  if (staged && codec.name !== "utf-8" && !bytes.equals(Buffer.from(text))) {
    return { problem: `${shown} is in ${codec.name}, and only UTF-8 can wait for a review: convert the file first.` };
  }
  return bytes;
}

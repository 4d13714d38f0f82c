import { isUtf8 } from "node:buffer";
import { detectedEncoding } from "./detect-encoding.ts";
import { type EncodingSettings, settingCodec } from "./file-encoding.ts";
import { type TextCodec, textCodec } from "./text-codec.ts";

const LINE_FEED = 10;
/** TAB, LF, FF, CR, BEL, BS and ESC are part of what programs print. */
const printed: ReadonlySet<number> = new Set([7, 8, 9, 10, 12, 13, 27]);

/**
 * Output of a program as text, decoded like a file: UTF-8, else line by line in the encoding of the setting; without one,
 * in a clearly East Asian encoding, or line by line in Latin-1.
 */
export function decodedOutput(bytes: Buffer, settings: EncodingSettings = {}): string {
  if (isUtf8(bytes)) return bytes.toString();
  const codec = settingCodec(settings);
  const detected = codec ? undefined : detectedEncoding(bytes);
  const whole = detected && textCodec(detected)?.decode(bytes);
  if (whole !== undefined) return whole;
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(LINE_FEED, at);
    const end = next < 0 ? bytes.length : next + 1;
    text += lineText(bytes.subarray(at, end), codec);
    at = end;
  }
  return text;
}

/** Whether output is data: NULs, or mostly control characters. `nuls`: those taken out of the bytes before. */
export function isBinaryOutput(bytes: Buffer, nuls: number): boolean {
  let controls = 0;
  for (const byte of bytes) if (byte < 32 && !printed.has(byte)) controls++;
  const length = bytes.length + nuls;
  // A few NULs separate names (find -print0); among other control characters they are data.
  const limit = nuls > 0 && !isUtf8(bytes) ? 0.02 : 0.3;
  return nuls > length / 10 || controls > length * limit;
}

/** A line with more broken than whole characters was not written in UTF-8. */
function lineText(line: Buffer, codec: TextCodec | undefined): string {
  const text = line.toString();
  if (!text.includes("\uFFFD")) return text;
  let broken = 0;
  let whole = 0;
  for (const character of text) {
    if (character === "\uFFFD") broken++;
    else if (character > "\x7f") whole++;
  }
  // In two-byte encodings some pairs are UTF-8, too; what was cut is broken only at its ends.
  const isLegacy = broken > whole || (codec !== undefined && /[^\uFFFD]\uFFFD+[^\uFFFD]/.test(text));
  if (!isLegacy) return text;
  return codec?.decode(line) ?? new TextDecoder("latin1").decode(line);
}

import { size } from "../text/amount.ts";
import { plainText } from "../text/plain-text.ts";
import type { BackgroundProcess } from "./background-process.ts";

const MAX_BYTES = 16_000;

/** What the process has printed since its agent last looked, at most its last lines; "" = nothing. */
export function newOutput(process: BackgroundProcess): string {
  const { output } = process;
  const { end } = output;
  const from = Math.max(process.seen, end - MAX_BYTES);
  const { bytes, offset, nextOffset } = output.read(from, MAX_BYTES);
  const omitted = offset - process.seen;
  process.seen = nextOffset;
  const text = bytes.toString();
  if (omitted <= 0) return plainText(text).replace(/\n$/, "");
  const whole = text.slice(text.indexOf("\n") + 1);
  return `[… ${size(omitted)} before this left out; it is in ${output.path}]\n${plainText(whole).replace(/\n$/, "")}`;
}

import { byteSize } from "@harness/protocol";
import { plainText } from "../text/plain-text.ts";
import type { BackgroundProcess } from "./background-process.ts";
import { lastPart } from "./last-part.ts";

const MAX_BYTES = 16_000;

/** The last lines printed since the agent last looked; "": nothing. */
export function newOutput(process: BackgroundProcess): string {
  const { output } = process;
  const { bytes, offset, nextOffset, omitted } = lastPart(output, process.seen, MAX_BYTES);
  const missing = Math.max(0, offset - process.seen) + omitted;
  process.seen = nextOffset;
  const text = output.decode(bytes);
  if (missing === 0) return plainText(text).replace(/\n$/, "");
  const whole = text.slice(text.indexOf("\n") + 1);
  return `[… ${byteSize(missing)} before this left out; it is in ${output.path}]\n${plainText(whole).replace(/\n$/, "")}`;
}

import { createHash } from "node:crypto";

/** The place of a span in a trace (https://www.w3.org/TR/trace-context/). */
export type TraceContext = { traceId: string; spanId: string; isSampled: boolean };

/** Undefined for what is not valid. A later version may have more after the flags. */
export function readTraceparent(text: string | undefined): TraceContext | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(text?.trim() ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function traceparentText({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** The id of a span follows from what it is about, so that a call's is known wherever the call is. */
export function spanIdOf(...about: readonly string[]): string {
  return digest(about).slice(0, 16);
}

export function traceIdOf(...about: readonly string[]): string {
  return digest(about).slice(16, 48);
}

function digest(about: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(about)).digest("hex");
}

import type { AgentPart, ProbeOutcome } from "@harness/protocol";

/** Findings for later probes and for the record of capabilities. Absent: unknown. */
export type Findings = {
  /** True if it calls tools through its API. */
  native: boolean;
  /** The number of pieces in which the arguments of a native call arrived. */
  argumentPieces: number;
  /** The form of a call written as text, although tools were offered natively. */
  textForm: string;
  /** True if it calls tools when its reply is constrained to a schema. */
  constrained: boolean;
  /** True if it calls tools that are described in the prompt. */
  prompted: boolean;
  /** True if it made several calls in one reply. */
  parallel: boolean;
  /** Its reply to the question of `parallel_calls`, if that contained a call. */
  weatherReply: AgentPart[];
  /** The claimed context window, confirmed by filling it, or the number of tokens read of a truncated prompt. */
  contextWindow: number;
  /** The time from a long prompt to the first token, and its number of words. */
  longPrompt: { words: number; firstMs?: number };
};

export type ProbeVerdict = Pick<ProbeOutcome, "outcome" | "detail"> & { findings?: Partial<Findings> };

export function passedProbe(detail: string, findings?: Partial<Findings>): ProbeVerdict {
  return { outcome: "passed", detail, ...(findings && { findings }) };
}

export function failedProbe(detail: string, findings?: Partial<Findings>): ProbeVerdict {
  return { outcome: "failed", detail, ...(findings && { findings }) };
}

export function skippedProbe(detail: string): ProbeVerdict {
  return { outcome: "skipped", detail };
}

const SHOWN_CHARS = 80;

/** Quotes model output inside our sentence: on one line and cut to a limit. */
export function quoted(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return JSON.stringify(line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS).toWellFormed()}…` : line);
}

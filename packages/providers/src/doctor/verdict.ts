import type { AgentPart, ProbeOutcome } from "@harness/protocol";

/** Findings for later probes and for the record of capabilities. Absent: unknown. */
export type Findings = {
  /** It calls tools by its API. */
  native: boolean;
  /** Number of pieces in which the arguments of a native call came. */
  argumentPieces: number;
  /** The form in which it wrote a call as text, though tools were offered natively. */
  textForm: string;
  /** It calls tools when its reply is held to a schema. */
  constrained: boolean;
  /** It calls tools when they are offered in the prompt. */
  prompted: boolean;
  /** It made several calls in one reply. */
  parallel: boolean;
  /** Its reply to the question of `parallel_calls`, when there was a call in it. */
  weatherReply: AgentPart[];
  /** The claimed context window, confirmed by filling it, or the tokens read of a prompt that was cut. */
  contextWindow: number;
  /** Time from a long prompt to the first token, and its number of words. */
  longPrompt: { words: number; firstMs?: number };
};

export type ProbeVerdict = Pick<ProbeOutcome, "outcome" | "detail"> & { found?: Partial<Findings> };

export function passed(detail: string, found?: Partial<Findings>): ProbeVerdict {
  return { outcome: "passed", detail, ...(found && { found }) };
}

export function failedProbe(detail: string, found?: Partial<Findings>): ProbeVerdict {
  return { outcome: "failed", detail, ...(found && { found }) };
}

export function skipped(detail: string): ProbeVerdict {
  return { outcome: "skipped", detail };
}

const SHOWN_CHARS = 80;

/** Quotes model output within our sentence: on one line and cut to a limit. */
export function quoted(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return JSON.stringify(line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS).toWellFormed()}…` : line);
}

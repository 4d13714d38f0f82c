import type { AgentPart, ProbeOutcome } from "@harness/protocol";

/** What the probes found, for those that come later and for the card. Absent: not known. */
export type Findings = {
  /** It calls tools by its API. */
  native: boolean;
  /** In how many pieces the arguments of a native call came. */
  argumentPieces: number;
  /** The form in which it wrote a call as text, though tools were offered natively. */
  textForm: string;
  /** It calls tools when its reply is held to a schema. */
  constrained: boolean;
  /** It calls tools when it is asked for them in words. */
  prompted: boolean;
  /** It made several calls in one reply. */
  parallel: boolean;
  /** Its reply to the question of `parallel_calls`, when there was a call in it. */
  weatherReply: AgentPart[];
  /** What is said of the window and was found true by filling it, or what was read of a prompt that was cut. */
  contextWindow: number;
  /** What a long prompt took until the reply began, and how many words it had. */
  longPrompt: { words: number; firstMs?: number };
};

export type Verdict = Pick<ProbeOutcome, "outcome" | "detail"> & { found?: Partial<Findings> };

export function passed(detail: string, found?: Partial<Findings>): Verdict {
  return { outcome: "passed", detail, ...(found && { found }) };
}

export function failed(detail: string, found?: Partial<Findings>): Verdict {
  return { outcome: "failed", detail, ...(found && { found }) };
}

export function skipped(detail: string): Verdict {
  return { outcome: "skipped", detail };
}

const SHOWN_CHARS = 80;

/** Words of a model inside a sentence of ours: on one line, and not too many. */
export function quoted(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return JSON.stringify(line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS).toWellFormed()}…` : line);
}

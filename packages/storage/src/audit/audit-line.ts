import { createHash } from "node:crypto";
import type { AuditDecision, AuditEnd } from "@harness/gate";
import { AuditEntry } from "@harness/protocol";
import * as z from "zod";
import { redact } from "../secrets/redact.ts";
import type { Redactor } from "../secrets/redactor.ts";

const Decided = AuditEntry.omit({ durationMs: true, status: true, exitCode: true }).extend({
  kind: z.literal("decided"),
});
const Ended = z.object({
  kind: z.literal("ended"),
  at: z.string(),
  sessionId: z.string(),
  toolCallId: z.string(),
  durationMs: z.number(),
  status: z.string(),
  exitCode: z.number().nullable().optional(),
});
const Cleared = z.object({ kind: z.literal("cleared"), at: z.string(), removedEntries: z.number() });

/** One line of the log: a decision, its outcome, or that the log was cleared. */
export const AuditLine = z.discriminatedUnion("kind", [Decided, Ended, Cleared]);
export type AuditLine = z.infer<typeof AuditLine>;

/** Small enough for one write, so that lines of several processes never mix. */
const MAX_BYTES = 4_000;
/** The part of a command that is stored for people to read; its hash identifies the rest. */
const MAX_TEXT = 1_500;
/** Longer text is not searched for secrets, because it is not written either. */
const MAX_READ = 16_384;
const MAX_PATH = 1_000;
const MAX_WORDS = 200;

export function decidedLine(decision: AuditDecision, at: string, redactor: Redactor): string {
  const { monotonicMs, sessionId, toolCallId, tool, text, cwd, verdict, by, auto, mode, risk } = decision;
  const clean = (words: string, most: number) => clip(redact(redactor.hide(words), []), most);
  const line = {
    kind: "decided",
    at,
    monotonicMs,
    sessionId: clip(sessionId, MAX_WORDS),
    toolCallId: clip(toolCallId, MAX_WORDS),
    tool: clip(tool, MAX_WORDS),
    sha256: createHash("sha256").update(text).digest("hex"),
    cwd: clip(cwd, MAX_PATH),
    verdict,
    by: clean(by, MAX_WORDS),
    auto,
    mode,
    risk,
  };
  const written = clean(head(text, redactor), MAX_TEXT);
  return fitted((room) => ({ ...line, text: clip(written, room), cwd: clip(line.cwd, room) }));
}

export function endedLine({ sessionId, toolCallId, durationMs, status, exitCode }: AuditEnd, at: string): string {
  return fitted(() => ({
    kind: "ended",
    at,
    sessionId: clip(sessionId, MAX_WORDS),
    toolCallId: clip(toolCallId, MAX_WORDS),
    durationMs: Math.round(durationMs),
    status: clip(status, MAX_WORDS),
    ...(exitCode === undefined ? {} : { exitCode }),
  }));
}

export function clearedLine(removedEntries: number, at: string): string {
  return fitted(() => ({ kind: "cleared", at, removedEntries }));
}

/** Undefined for a damaged line. */
export function readAuditLine(text: string): AuditLine | undefined {
  try {
    const read = AuditLine.safeParse(JSON.parse(text));
    return read.success ? read.data : undefined;
  } catch {
    // The end of a line may be missing after a crash or on a full disk.
    return undefined;
  }
}

/** The beginning of a text, without ending inside a secret. */
function head(text: string, redactor: Redactor): string {
  if (text.length <= MAX_READ) return text;
  const start = text.slice(0, MAX_READ);
  return `${start.slice(0, start.length - redactor.open(start))}…`;
}

function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1)).toWellFormed()}…`;
}

/** A character may take six bytes, so the text is shortened until the line fits. */
function fitted(valueFor: (room: number) => object): string {
  for (let room = MAX_TEXT; ; room = Math.floor(room / 2)) {
    const line = JSON.stringify(valueFor(room));
    if (Buffer.byteLength(line) < MAX_BYTES || room === 0) return line;
  }
}

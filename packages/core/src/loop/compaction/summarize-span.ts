import { keepEnds } from "../../context/compaction/cut-text.ts";
import {
  mergeRequestText,
  type PartPosition,
  SUMMARY_SYSTEM,
  summaryRequestText,
} from "../../context/compaction/summary-request.ts";
import { halvesOf, transcriptOf, transcriptParts } from "../../context/compaction/transcript.ts";
import { usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { ModelChoice, ModelMessage, ModelRequest } from "../../ports/provider.ts";
import type { Scope } from "../turn/scope.ts";
import type { RequestCost } from "../turn/side-request.ts";
import { addSpent } from "./spent-sum.ts";
import { CANCELLED, type Summary, type SummaryProblem, type SummaryRequest, summarize } from "./summarize.ts";

type SpanSummaryOptions = {
  scope: Scope;
  about: SummaryRequest["about"];
  choice: ModelChoice;
  focus: string | undefined;
  signal: AbortSignal;
  onStatus: SummaryRequest["onStatus"];
  /** Called before each request with the number of completed requests, and the expected total as far as known. */
  onProgress(phase: "summarize" | "merge", done: number, total: number): void;
};

/** `passes`: requests that it took. */
export type SpanSummary = ({ text: string } | SummaryProblem) & { passes: number; spent?: RequestCost };

const MAX_SUMMARY_TOKENS = 4_096;
/**
 * How long to wait before repeating a request that failed for a transient reason; the provider has already retried by
 * itself.
 */
const WAITS_MS = [1_000, 5_000];
const MAX_WAIT_MS = 60_000;
/** How often a part that is too long for the model is halved. */
const MAX_HALVINGS = 3;
/** The length to which a part that could not be summarised is cut. */
const MAX_DIGEST_CHARS = 2_000;

/** The work on one span: its requests so far, and their cost. */
type Work = SpanSummaryOptions & { maxChars: number; passes: number; planned: number; spent: RequestCost | undefined };

/**
 * Summarises messages in one request if they fit. Otherwise they are split; a part that fails is requested again, then
 * cut, and the summaries are merged. Every message is shown in some request.
 */
export async function summarizeSpan(
  options: SpanSummaryOptions,
  messages: readonly ModelMessage[],
): Promise<SpanSummary> {
  // Three characters a token, and room for the instructions: an estimate on the safe side.
  const maxChars = Math.max(2_000, (usableTokens(options.choice.contextWindow.tokens) - 500) * 3);
  const parts = transcriptParts(transcriptOf(messages), maxChars);
  const planned = parts.length === 1 ? 1 : parts.length + 1;
  const work: Work = { ...options, maxChars, passes: 0, planned, spent: undefined };
  const summaries = await partSummaries(work, parts);
  const result = "problem" in summaries ? summaries : await merged(work, summaries);
  return { ...result, passes: work.passes, ...(work.spent ? { spent: work.spent } : {}) };
}

async function partSummaries(work: Work, parts: readonly string[][]): Promise<string[] | SummaryProblem> {
  const summaries: string[] = [];
  let failures = 0;
  for (const [index, part] of parts.entries()) {
    const position = parts.length === 1 ? undefined : { number: index + 1, of: parts.length };
    const done = await summariesOf(work, part, position, 0);
    if (!("problem" in done)) {
      summaries.push(...done);
      continue;
    }
    failures += 1;
    // If all of them fail, the conversation is better left as it is.
    if (done.cause !== "useless" && done.cause !== "passing") return done;
    if (failures === parts.length || (done.cause === "passing" && failures > 1)) return done;
    summaries.push(`(These messages could not be summarised.)\n${keepEnds(part.join("\n\n"), MAX_DIGEST_CHARS)}`);
  }
  return summaries;
}

/** The summary of a part, or of its halves if it is too long for the model. */
async function summariesOf(
  work: Work,
  part: readonly string[],
  position: PartPosition | undefined,
  halvings: number,
): Promise<string[] | SummaryProblem> {
  const summary = await ask(work, "summarize", summaryRequestText(part.join("\n\n"), work.focus, position));
  if (!("problem" in summary)) return [summary.text];
  const halves = summary.cause === "tooLong" && halvings < MAX_HALVINGS ? halvesOf(part) : undefined;
  if (!halves) return summary;
  work.planned += position === undefined && halvings === 0 ? 3 : 2;
  const both: string[] = [];
  for (const [index, half] of halves.entries()) {
    const done = await summariesOf(work, half, position ?? { number: index + 1, of: 2 }, halvings + 1);
    if ("problem" in done) return done.cause === "tooLong" ? summary : done;
    both.push(...done);
  }
  return both;
}

/** Merges several summaries into one, in rounds if they do not fit into one request. If that fails, they are joined. */
async function merged(work: Work, summaries: readonly string[]): Promise<{ text: string } | SummaryProblem> {
  let left = summaries.map((summary) => keepEnds(summary, Math.floor(work.maxChars / 2) - 100));
  while (left.length > 1) {
    const next: string[] = [];
    for (const group of transcriptParts(left, work.maxChars)) {
      const [only] = group;
      if (group.length === 1 && only !== undefined) {
        next.push(only);
        continue;
      }
      const summary = await ask(work, "merge", mergeRequestText(group, work.focus));
      if ("problem" in summary && summary.cause === "cancelled") return summary;
      next.push("problem" in summary ? sideBySide(group, work.maxChars) : summary.text);
    }
    if (next.length === left.length) return { text: sideBySide(next, work.maxChars) };
    left = next;
  }
  return { text: left[0] ?? "" };
}

function sideBySide(summaries: readonly string[], maxChars: number): string {
  const each = Math.floor(maxChars / 2 / summaries.length);
  return summaries.map((summary) => keepEnds(summary, each)).join("\n\n");
}

/** One request, repeated if it failed for a transient reason or returned nothing. */
async function ask(work: Work, phase: "summarize" | "merge", text: string): Promise<Summary> {
  const { scope, about, choice, signal, onStatus } = work;
  work.onProgress(phase, work.passes, Math.max(work.planned, work.passes + 1));
  for (let attempt = 0; ; attempt += 1) {
    const summary = await summarize({ scope, about, choice, request: requestFor(choice, text), signal, onStatus });
    work.spent = addSpent(work.spent, summary.spent);
    const waitMs = "problem" in summary ? waitBefore(summary, attempt) : undefined;
    if (waitMs === undefined) {
      work.passes += 1;
      return summary;
    }
    await scope.ports.runtime.clock.sleep(waitMs, signal);
    if (signal.aborted) return CANCELLED;
  }
}

/** Undefined if it is not repeated. */
function waitBefore({ cause, retryAfterMs = 0 }: SummaryProblem, attempt: number): number | undefined {
  if (cause === "useless") return attempt === 0 ? 0 : undefined;
  const waitMs = cause === "passing" ? WAITS_MS[attempt] : undefined;
  if (waitMs === undefined || retryAfterMs > MAX_WAIT_MS) return undefined;
  return Math.max(waitMs, retryAfterMs);
}

function requestFor(choice: ModelChoice, text: string): ModelRequest {
  const contextWindow = choice.contextWindow.tokens;
  return {
    model: choice.model,
    system: SUMMARY_SYSTEM,
    messages: [{ role: "user", content: [{ type: "text", text }] }],
    tools: [],
    maxOutputTokens: Math.min(MAX_SUMMARY_TOKENS, Math.floor(contextWindow / 4)),
    contextWindow,
    priority: "background",
    ...(choice.effort ? { effort: choice.effort } : {}),
  };
}

import { type Failure, textOf, type Usage } from "@harness/protocol";
import { modelKey } from "../../context/model-key.ts";
import { estimateTokens } from "../../context/tokens/estimate-tokens.ts";
import { minTokens } from "../../context/tokens/min-tokens.ts";
import { contextWindowAdvice, detectTruncation } from "../../context/tokens/truncation.ts";
import type { ModelEvent } from "../../ports/provider.ts";
import { type RequestCost, type SideReply, type SideRequest, sideRequest } from "../turn/side-request.ts";

/**
 * Why there is no summary. `passing`: it may work in a moment; `tooLong`: the model could not read all of it;
 * `useless`: it answered, but not with a summary; `broken`: it will not answer the next request either.
 */
export type SummaryProblem = {
  problem: string;
  cause: "cancelled" | "passing" | "tooLong" | "useless" | "broken";
  retryAfterMs?: number;
  /** How the provider has failed, if it has. */
  failed?: Failure["kind"];
};

/** `spent` is absent if there is nothing to pay for. */
export type Summary = ({ text: string } | SummaryProblem) & { spent?: RequestCost };

export type SummaryRequest = SideRequest & Required<Pick<SideRequest, "onStatus">>;

export type End = Extract<ModelEvent, { type: "end" }>;

export const CANCELLED: SummaryProblem = {
  problem: "Summarising was cancelled; nothing was changed.",
  cause: "cancelled",
};

const TOO_LONG =
  "the model's server rejects even part of the messages as too long. Set `context_limit` to the context window it really has.";

const CAUSES: Partial<Record<Failure["kind"], SummaryProblem["cause"]>> = {
  network: "passing",
  rateLimit: "passing",
  overflow: "tooLong",
  truncated: "tooLong",
  refused: "useless",
};

/** Asks the model for a summary, once. Never throws: a failure is described. */
export function summarize(order: SummaryRequest): Promise<Summary> {
  return askOnce(order, (end) => textIn(end, order));
}

/** Asks the model once, and parses its reply. Never throws. */
export async function askOnce<T extends object>(
  order: SummaryRequest,
  read: (end: End) => T | SummaryProblem,
): Promise<(T | SummaryProblem) & { spent?: RequestCost }> {
  const { spent, ...reply } = await sideRequest(order);
  const result = "end" in reply ? read(reply.end) : problemOf(reply);
  return spent ? { ...result, spent } : result;
}

function problemOf(reply: Exclude<SideReply, { end: End }>): SummaryProblem {
  if ("failure" in reply) return failedFor(reply.failure);
  if (reply.without === "cancelled") return CANCELLED;
  if (reply.without === "brokenOff")
    return { problem: "The model's answer was cut off; nothing was changed.", cause: "passing", failed: "network" };
  return { problem: "The summary failed because of an error in harness; its log has the details.", cause: "broken" };
}

function failedFor({ kind, message, retryAfterMs }: Failure): SummaryProblem {
  const cause = CAUSES[kind] ?? "broken";
  // The advice for an overflow is a compaction, which this is.
  const why = kind === "overflow" ? TOO_LONG : message;
  return {
    problem: `The summary failed: ${why}`,
    cause,
    failed: kind,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function textIn({ parts, stop, usage }: End, order: SummaryRequest): { text: string } | SummaryProblem {
  const text = textOf(parts).trim();
  if (order.signal.aborted || stop === "cut") return CANCELLED;
  const problem = cutProblem(usage, order);
  if (problem !== undefined) return { problem, cause: "tooLong", failed: "truncated" };
  if (stop === "refusal")
    return { problem: "The model refused to summarise; nothing was changed.", cause: "useless", failed: "refused" };
  if (text !== "") return { text };
  return { problem: "The model returned an empty summary; nothing was changed.", cause: "useless", failed: "refused" };
}

/** A summary by a model that read only a part must not replace the whole. */
function cutProblem(usage: Usage | undefined, { scope, choice, request }: SummaryRequest): string | undefined {
  if (scope.requests.models.countsPartially(modelKey(choice.provider.id, choice.model))) return undefined;
  const text = request.messages.map((message) => (message.role === "user" ? textOf(message.content) : "")).join("");
  const cut = detectTruncation(usage, {
    estimatedTokens: estimateTokens(request.system.length + text.length),
    minTokens: minTokens(request.system) + minTokens(text),
    contextWindow: choice.contextWindow.tokens,
  });
  if (!cut) return undefined;
  const what = `The server read only a part of what was to be summarised: about ${cut.sentTokens} tokens were sent, and it counted ${cut.readTokens}. Nothing was changed.`;
  return `${what} ${contextWindowAdvice(cut.readTokens, choice.contextWindow.tokens, choice.contextWindowAdvice)}`;
}

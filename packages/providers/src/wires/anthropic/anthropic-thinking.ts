import type { ModelRequest } from "@harness/core";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { sentEffort } from "../request/effort.ts";

/** Tokens of an answer if neither request nor row sets a limit. */
const USUAL_ANSWER = 8_192;

/** Tokens to think with. With an answer of usual length, the largest budget still fits the smallest limit, 32,000. */
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1_024,
  low: 4_096,
  medium: 8_192,
  high: 16_384,
  xhigh: 23_000,
  max: 23_000,
};
const MEDIUM = 8_192;

/** The thinking settings of a request. */
export type Thinking = {
  /** `max_tokens`, which includes thoughts. */
  maxTokens: number;
  /** The field `thinking`. */
  config?: Record<string, unknown>;
  /** The field `output_config.effort`. */
  effort?: string;
  /** True if the model may think: its earlier thinking is then sent back, and we must not set the temperature. */
  isOn: boolean;
};

/**
 * Older models accept a budget of thinking tokens; newer ones refuse it and decide for themselves (docs, "Extended
 * thinking", "Adaptive thinking", "Effort"). `max_tokens` is raised so that the answer keeps its limit, at most the
 * usual one. `mayBudget` is false if the conversation does not allow thinking within a budget.
 */
export function thinkingOf(request: ModelRequest, endpoint: Endpoint, { mayBudget }: { mayBudget: boolean }): Thinking {
  const { effort, model } = request;
  const { vendor } = endpoint;
  const answer = request.maxOutputTokens ?? vendor.maxOutputTokens ?? USUAL_ANSWER;
  const byBudget = vendor.quirks.thinkingBudgetFor?.some((start) => model.startsWith(start)) ?? true;
  if (!effort) return { maxTokens: answer, isOn: !byBudget };
  if (byBudget && (effort === "none" || !mayBudget)) return { maxTokens: answer, isOn: false };
  // Some models think by default; those that cannot turn it off refuse this field, and are asked again without it.
  if (effort === "none") return { maxTokens: answer, config: { type: "disabled" }, isOn: false };
  const budget = BUDGETS[effort] ?? MEDIUM;
  const maxTokens = Math.max(answer, Math.min(answer, USUAL_ANSWER) + budget);
  if (byBudget) return { maxTokens, config: { type: "enabled", budget_tokens: budget }, isOn: true };
  // By default the newest models hide their thinking.
  const config = { type: "adaptive", display: "summarized" };
  return { maxTokens, config, effort: sentEffort(endpoint, effort), isOn: true };
}

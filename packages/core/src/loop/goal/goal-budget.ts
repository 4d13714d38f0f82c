import type { Cost, GoalState, SessionState, Usage } from "@harness/protocol";

/** The use of a session so far, as goals count it: without tokens from a cache. */
export function usedSoFar({ usage, cost }: { usage: Usage; cost: Cost }): GoalState["since"] {
  const { inputTokens = 0, cacheReadTokens = 0, outputTokens = 0 } = usage;
  return { tokens: Math.max(0, inputTokens - cacheReadTokens) + outputTokens, ...cost };
}

/** The use since the goal was set or resumed. */
export function usedForGoal({ since }: GoalState, session: { usage: Usage; cost: Cost }) {
  const now = usedSoFar(session);
  return { tokens: now.tokens - since.tokens, usd: now.usd - since.usd };
}

/** Why the work towards a goal may not go on, as a sentence; undefined if it may. */
export function goalExhausted({ goal, usage, cost }: SessionState): string | undefined {
  if (goal?.state !== "active") return undefined;
  const { budget, since, rounds } = goal;
  const now = usedSoFar({ usage, cost });
  const { tokens, usd } = usedForGoal(goal, { usage, cost });
  if (budget.tokens !== undefined && tokens >= budget.tokens)
    return `its ${count(budget.tokens)} tokens are used up (it used ${count(tokens)}).`;
  if (budget.usd !== undefined && usd >= budget.usd)
    return `its $${budget.usd} are used up (it used $${usd.toFixed(4)}).`;
  if (budget.usd !== undefined && now.unpricedRequests > since.unpricedRequests)
    return `the price of the model is not known, so that its limit of $${budget.usd} cannot be kept.`;
  if (rounds >= budget.rounds)
    return `it was checked ${budget.rounds === 1 ? "once" : `${budget.rounds} times`} and not met.`;
  return undefined;
}

function count(of: number): string {
  return of.toLocaleString("en-US");
}

import type { Clock } from "@harness/gate";
import type { AgentBudget, Cost, Usage } from "@harness/protocol";

/** Usage and limits of an agent, including all agents below it. */
export class BudgetMeter {
  readonly budget: AgentBudget;
  readonly #parent: { readonly meter: BudgetMeter; readonly agentId: string } | undefined;
  readonly #needsPrices: boolean;
  #hasUnpriced = false;
  #turns = 0;
  #tokens = 0;
  #usd = 0;
  #isOverTime = false;

  /** `needsPrices`: a limit of `usd` is reached with the first request whose price is not known. */
  constructor(
    budget: AgentBudget,
    parent?: { readonly meter: BudgetMeter; readonly agentId: string },
    { needsPrices = false } = {},
  ) {
    this.budget = budget;
    this.#parent = parent;
    this.#needsPrices = needsPrices;
  }

  countRequest(): void {
    this.#turns += 1;
    this.#parent?.meter.countRequest();
  }

  spend(usage: Usage | undefined, cost: Cost | undefined): void {
    const { inputTokens = 0, cacheReadTokens = 0, outputTokens = 0 } = usage ?? {};
    this.#tokens += Math.max(0, inputTokens - cacheReadTokens) + outputTokens;
    this.#usd += cost?.usd ?? 0;
    this.#hasUnpriced ||= (cost?.unpricedRequests ?? 0) > 0;
    this.#parent?.meter.spend(usage, cost);
  }

  /** Its time was over before it ended. */
  get isOverTime(): boolean {
    return this.#isOverTime;
  }

  /** The exhausted limit, as the end of a sentence about the agent; undefined if it may go on. */
  get exhausted(): string | undefined {
    const { turns, tokens, seconds, usd } = this.budget;
    const own =
      this.#isOverTime && seconds !== undefined
        ? `${count(seconds)} s`
        : turns !== undefined && this.#turns >= turns
          ? `${count(turns)} ${turns === 1 ? "request" : "requests"}`
          : tokens !== undefined && this.#tokens >= tokens
            ? `${count(tokens)} ${tokens === 1 ? "token" : "tokens"} (it used ${count(this.#tokens)})`
            : usd !== undefined && this.#usd >= usd
              ? `$${usd} (it used $${this.#usd.toFixed(4)})`
              : undefined;
    if (own !== undefined) return `used up its budget of ${own}`;
    if (usd !== undefined && this.#needsPrices && this.#hasUnpriced)
      return `used a model whose price is not known, so that its budget of $${usd} cannot be kept`;
    const above = this.#parent?.meter.exhausted;
    return above && `was stopped: ${this.#parent?.agentId}, which started it, ${above}`;
  }

  /** Stops the work when its time is over; the returned function ends the timer. */
  watch(clock: Clock, stop: () => void): () => void {
    const { seconds } = this.budget;
    if (seconds === undefined) return () => undefined;
    const ended = new AbortController();
    void clock.sleep(seconds * 1000, ended.signal).then(() => {
      if (ended.signal.aborted) return;
      this.#isOverTime = true;
      stop();
    });
    return () => ended.abort();
  }
}

/** The effective budget of an agent: a requested one may be lower than its own, not higher. */
export function lessOf(own: AgentBudget, requested: AgentBudget | undefined): AgentBudget {
  const least: AgentBudget = { ...own };
  for (const key of ["turns", "tokens", "seconds", "usd"] as const) {
    const more = requested?.[key];
    if (more !== undefined) least[key] = Math.min(more, own[key] ?? more);
  }
  return least;
}

function count(of: number): string {
  return of.toLocaleString("en-US");
}

import type { LiveSession } from "@harness/core";
import type { Clock } from "@harness/gate";
import { diskProblem } from "@harness/host";
import {
  addCost,
  addUsage,
  localTime,
  NO_COST,
  type Result,
  type ServerMethods,
  type SessionUpdate,
  type UpdateView,
  type UsageSum,
} from "@harness/protocol";
import type { Spend, SpendLedger } from "@harness/storage";

type SpendRecorderDeps = {
  ledger: SpendLedger;
  clock: Clock;
  report(error: unknown, where: string): void;
};

type Warns = Pick<LiveSession, "sessionId" | "warn">;

/** Records the cost of requests, and adds it up by day and model. */
export class SpendRecorder implements UpdateView {
  readonly #deps: SpendRecorderDeps;
  readonly #sessions = new Map<string, Warns>();
  #isNamed = false;

  constructor(deps: SpendRecorderDeps) {
    this.#deps = deps;
  }

  onOpened({ session }: { session: Warns }): void {
    this.#sessions.set(session.sessionId, session);
  }

  onClosed(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  /** Sees every fact of every live session. A ledger that cannot be written fails no turn. */
  see({ sessionId, at, update }: SessionUpdate): void {
    if (!isSpending(update)) return;
    const { cost, usage, provider, model } = update;
    if (!cost || provider === undefined || model === undefined || at === undefined) return;
    try {
      this.#deps.ledger.add({ at, sessionId, provider, model, ...(usage ? { usage } : {}), cost });
    } catch (error) {
      this.#failed(error, sessionId);
    }
  }

  /** Records requests that belong to no session. */
  add(what: Pick<Spend, "sessionId" | "provider" | "model">, requests: readonly Pick<Spend, "usage" | "cost">[]): void {
    const at = new Date(this.#deps.clock.now()).toISOString();
    try {
      for (const request of requests) this.#deps.ledger.add({ at, ...what, ...request });
    } catch (error) {
      this.#deps.report(error, "spend ledger");
    }
  }

  /** People are notified once. The notice comes after the fact that is being announced. */
  #failed(error: unknown, sessionId: string): void {
    const { ledger, report } = this.#deps;
    report(error, "spend ledger");
    if (this.#isNamed) return;
    this.#isNamed = true;
    const text = diskProblem(error, "add the cost of this request to the day's total", ledger.folder);
    queueMicrotask(() => this.#sessions.get(sessionId)?.warn("Costs per day are not counted.", text));
  }

  /** In US dollars. A ledger that cannot be read ends no turn: 0. */
  usdToday(): number {
    try {
      return this.#deps.ledger.usdOf(localTime(this.#deps.clock.now()).date);
    } catch (error) {
      this.#deps.report(error, "spend ledger");
      return 0;
    }
  }

  /** The sums of a day, by default today. */
  of(day = localTime(this.#deps.clock.now()).date): Omit<Result<ServerMethods, "usage/get">, "session"> {
    const spends = this.#deps.ledger.of(day);
    const groups = Map.groupBy(spends, ({ provider, model }) => JSON.stringify([provider, model]));
    const byModel = [...groups.values()].flatMap((group) => {
      const [first] = group;
      return first ? [{ provider: first.provider, model: first.model, ...sumOf(group) }] : [];
    });
    byModel.sort((a, b) => b.cost.usd - a.cost.usd || b.requests - a.requests);
    return { day, today: sumOf(spends), byModel };
  }
}

type Update = SessionUpdate["update"];

/** Facts that may include the cost of a request: replies, summaries, titles, checks, failures, requests of tools. */
const spending = [
  "agent_message",
  "compaction_update",
  "goal_update",
  "notice",
  "retry",
  "session_info_update",
  "tool_call_update",
] as const;
type SpendingUpdate = Extract<Update, { sessionUpdate: (typeof spending)[number] }>;

function isSpending(update: Update): update is SpendingUpdate {
  return spending.some((kind) => kind === update.sessionUpdate);
}

function sumOf(spends: readonly Spend[]): UsageSum {
  const sum: UsageSum = { requests: spends.length, usage: {}, cost: NO_COST };
  for (const { usage, cost } of spends) {
    sum.usage = addUsage(sum.usage, usage);
    sum.cost = addCost(sum.cost, cost);
  }
  return sum;
}

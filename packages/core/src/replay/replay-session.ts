import { ROOT_AGENT, type StoredFact } from "@harness/protocol";
import { type FactPages, factsOf } from "../ports/fact-pages.ts";
import { CallLedger, callsBrought, decidedBy } from "./call-ledger.ts";
import type { OpenReplay, ReplayAddress, ReplayWatch } from "./opened-replay.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { ReplayedRun } from "./replayed-run.ts";

export type ReplayOrder = {
  pages: FactPages;
  /** In the order in which they were made. */
  requests: readonly RecordedRequest[];
  open: OpenReplay;
  watch: ReplayWatch;
  signal: AbortSignal;
};

/**
 * Goes through a stored session: builds each recorded request again, as it would be made now, and judges each call
 * again. Replies, results, answers and messages are those of the log. Runs no tool, sends nothing and writes nothing.
 */
export async function runReplay(order: ReplayOrder): Promise<void> {
  await new Replay(order).run();
}

class Replay {
  readonly #order: ReplayOrder;
  readonly #ledger: CallLedger;
  readonly #due = new Map<number, RecordedRequest[]>();
  readonly #judged = new Set<string>();
  readonly #turns = new Set<string>();
  #run: ReplayedRun | undefined;
  #request = 0;

  constructor(order: ReplayOrder) {
    this.#order = order;
    this.#ledger = new CallLedger(order.pages);
    for (const recorded of order.requests) {
      const others = this.#due.get(recorded.after) ?? [];
      this.#due.set(recorded.after, [...others, recorded]);
    }
  }

  async run(): Promise<void> {
    const { pages, signal } = this.#order;
    await this.#requestsAfter(0);
    for (const fact of factsOf(pages)) {
      if (signal.aborted) return;
      await this.#fact(fact);
      await this.#requestsAfter(fact.seq);
    }
  }

  async #fact(fact: StoredFact): Promise<void> {
    const { agentId, turnId, update } = fact;
    if (agentId === ROOT_AGENT && turnId !== undefined && update.sessionUpdate === "user_message")
      this.#turns.add(turnId);
    const run = this.#run;
    const toolCallId = run && decidedBy(fact);
    const then = toolCallId === undefined ? undefined : this.#ledger.fateOf(toolCallId);
    if (run && toolCallId !== undefined && then && !this.#judged.has(toolCallId)) {
      this.#judged.add(toolCallId);
      const judged = await run.judge(toolCallId, then, fact);
      if (judged !== "unjudged") this.#order.watch.call(judged, this.#place(agentId));
    }
    await run?.take(fact);
    // From here on it is a session of another agent.
    if (update.sessionUpdate === "main_agent_update") this.#run = undefined;
    const calls = run ? callsBrought(fact) : [];
    if (calls.length > 0) await run?.expect(calls, fact);
  }

  async #requestsAfter(seq: number): Promise<void> {
    for (const recorded of this.#due.get(seq) ?? []) {
      if (this.#order.signal.aborted) return;
      const run = await this.#runFor(recorded, seq);
      this.#request += 1;
      this.#order.watch.before(recorded);
      const rebuilt = await run.rebuild(recorded).catch((error: unknown) => ({
        problem: `It cannot be built: ${error instanceof Error ? error.message : String(error)}`,
      }));
      await this.#order.watch.request(recorded, rebuilt, this.#place(recorded.agentId));
    }
  }

  /** A process with other flags opened the session anew. */
  async #runFor({ opening }: RecordedRequest, seq: number): Promise<ReplayedRun> {
    if (this.#run?.opening === opening) return this.#run;
    const { open, pages, signal } = this.#order;
    const run = new ReplayedRun({ opening, parts: open(opening, seq + 1), ledger: this.#ledger, signal });
    this.#run = run;
    for (const fact of factsOf(pages, { before: seq + 1 })) await run.take(fact);
    return run;
  }

  #place(agentId: string): ReplayAddress {
    return { turn: Math.max(1, this.#turns.size), request: this.#request, agentId };
  }
}

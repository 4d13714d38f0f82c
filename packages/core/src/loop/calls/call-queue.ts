import { cancellable } from "@harness/gate";
import type { ToolOutcome } from "@harness/protocol";
import type { Turn } from "../turn/turn.ts";
import { type Claim, claimOf, clash, isBarrier } from "./effect-claim.ts";
import type { PreparedCall, ReadyCall } from "./prepare-call.ts";
import { runCall } from "./run-call.ts";

/** Calls that are looked at ahead of those that run: each is compared with all before it. */
const MAX_AHEAD = 64;

type Entry = { claim: Claim; ended: Promise<void> };

/**
 * The calls of one reply. Each sees what the calls before it did: it runs when none of those that it clashes with is
 * unfinished.
 */
export class CallQueue {
  readonly #turn: Turn;
  readonly #unfinished = new Set<Entry>();
  /** Calls whose claims are not known yet: claims are made in the order of the calls. */
  #unclaimed = 0;
  #claimed: Promise<unknown> = Promise.resolve();

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  /** Runs the call when its turn comes, and returns its result; throws only `LogWriteError`. */
  async add(call: PreparedCall): Promise<ToolOutcome> {
    if (call.kind === "answered") return await runCall(this.#turn, call, this.#turn.signal);
    const { controllers } = this.#turn.scope.calls;
    const controller = new AbortController();
    const signal = AbortSignal.any([this.#turn.signal, controller.signal]);
    controllers.set(call.toolCallId, controller);
    const ended = Promise.withResolvers<void>();
    try {
      const isFirst = this.#unclaimed === 0 && this.#obstacle(call) === undefined;
      const before = isFirst ? this.#claim(call, ended.promise) : await this.#claimLater(call, ended.promise, signal);
      if (before.length > 0) await cancellable(Promise.all(before), signal, () => []);
      return await runCall(this.#turn, call, signal);
    } finally {
      controllers.delete(call.toolCallId);
      ended.resolve();
    }
  }

  /** Enters the call, and returns the ends of those that it has to wait for. */
  #claim(call: ReadyCall, ended: Promise<void>): Promise<void>[] {
    const claim = claimOf(call, this.#turn.scope.ports.gate.paths);
    const before = [...this.#unfinished].filter((other) => clash(other.claim, claim)).map((other) => other.ended);
    const entry: Entry = { claim, ended };
    this.#unfinished.add(entry);
    void ended.then(() => this.#unfinished.delete(entry));
    return before;
  }

  #claimLater(call: ReadyCall, ended: Promise<void>, signal: AbortSignal): Promise<Promise<void>[]> {
    this.#unclaimed += 1;
    const claimed = this.#claimed.then(async () => {
      for (;;) {
        const obstacle = signal.aborted ? undefined : this.#obstacle(call);
        if (!obstacle) break;
        await cancellable(obstacle, signal, () => undefined);
      }
      this.#unclaimed -= 1;
      return signal.aborted ? [] : this.#claim(call, ended);
    });
    this.#claimed = claimed;
    return cancellable(claimed, signal, () => []);
  }

  /**
   * What has to end before the claim of the call can be made: behind a barrier paths may lead elsewhere, and no call is
   * compared with all others of a reply of thousands.
   */
  #obstacle(call: ReadyCall): Promise<void> | undefined {
    const unfinished = [...this.#unfinished];
    const barrier = unfinished.find(({ claim }) => isBarrier(claim, call));
    if (barrier) return barrier.ended;
    return unfinished.length < MAX_AHEAD ? undefined : Promise.race(unfinished.map((each) => each.ended));
  }
}

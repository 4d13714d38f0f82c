import { cancellable, withPaths } from "@harness/gate";
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
  /** Claims are made in the order of the calls. */
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
      const before = await this.#claim(call, ended.promise, signal);
      if (before.length > 0) await cancellable(Promise.all(before), signal, () => []);
      return await runCall(this.#turn, call, signal);
    } finally {
      controllers.delete(call.toolCallId);
      ended.resolve();
    }
  }

  /** Enters the call when nothing stands before it, and returns the ends of those that it has to wait for. */
  #claim(call: ReadyCall, ended: Promise<void>, signal: AbortSignal): Promise<Promise<void>[]> {
    const { paths } = this.#turn.scope.ports.gate;
    const claimed = this.#claimed.then(async () => {
      for (let obstacle = this.#obstacle(call); obstacle && !signal.aborted; obstacle = this.#obstacle(call)) {
        await cancellable(obstacle, signal, () => undefined);
      }
      if (signal.aborted) return [];
      const { value: claim } = await withPaths(paths, signal, (known) => claimOf(call, known));
      return this.#enter({ claim, ended });
    });
    this.#claimed = claimed;
    return cancellable(claimed, signal, () => []);
  }

  #enter(entry: Entry): Promise<void>[] {
    const before = [...this.#unfinished].filter((other) => clash(other.claim, entry.claim)).map((other) => other.ended);
    this.#unfinished.add(entry);
    void entry.ended.then(() => this.#unfinished.delete(entry));
    return before;
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

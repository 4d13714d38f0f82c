import { cancellable, withPaths } from "@harness/gate";
import type { Turn } from "../turn/turn.ts";
import { besides, type Claim, claimOf, clash, isBarrier } from "./effect-claim.ts";
import { type ReadyCall, reachOf } from "./prepare-call.ts";

/** Calls that are examined ahead of the running ones: each is compared with all before it. */
const MAX_AHEAD = 64;

type Entry = { claim: Claim; ended: Promise<void> };

/**
 * The calls of one reply. Each sees the effects of the calls before it: it runs once no call that it conflicts with is
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

  /** Runs the call when its turn comes. `run` gets the signals that stop this call alone, or the whole turn. */
  async add<T>(call: ReadyCall, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ended = Promise.withResolvers<void>();
    try {
      return await this.alone(call, async (signal) => {
        const before = await this.#claim(call, ended.promise, signal);
        if (before.length > 0) await cancellable(Promise.all(before), signal, () => []);
        return await run(signal);
      });
    } finally {
      ended.resolve();
    }
  }

  /** Runs the only call of a reply, which needs no comparison. */
  async alone<T>({ toolCallId }: ReadyCall, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { controllers } = this.#turn.scope.calls;
    const controller = new AbortController();
    controllers.set(toolCallId, controller);
    try {
      return await run(AbortSignal.any([this.#turn.signal, controller.signal]));
    } finally {
      controllers.delete(toolCallId);
    }
  }

  /** Enters the call when nothing is before it, and returns the ends of the calls that it must wait for. */
  #claim(call: ReadyCall, ended: Promise<void>, signal: AbortSignal): Promise<Promise<void>[]> {
    const { cwd, scope } = this.#turn;
    const { gate } = scope.ports;
    const claimed = this.#claimed.then(async () => {
      for (let obstacle = this.#obstacle(call); obstacle && !signal.aborted; obstacle = this.#obstacle(call)) {
        await cancellable(obstacle, signal, () => undefined);
      }
      if (signal.aborted) return [];
      const claimed = { ...reachOf(call, cwd), concurrency: call.concurrency };
      const { value: claim } = await withPaths(gate.paths, signal, (known) => claimOf(claimed, known));
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
   * The unfinished call that must end before this call's claim can be made: paths may lead elsewhere after a barrier.
   * No call is compared with all the others of a reply of thousands.
   */
  #obstacle(call: ReadyCall): Promise<void> | undefined {
    const { category } = reachOf(call, this.#turn.cwd);
    const ofKind = besides({ category, concurrency: call.concurrency });
    const unfinished = [...this.#unfinished];
    const barrier = unfinished.find(({ claim }) => isBarrier(claim, { besides: ofKind }));
    if (barrier) return barrier.ended;
    return unfinished.length < MAX_AHEAD ? undefined : Promise.race(unfinished.map((each) => each.ended));
  }
}

import type { ModelRequest } from "@harness/core";

type Priority = ModelRequest["priority"];

/** Priorities, the most urgent first. */
const CLASSES: readonly Priority[] = ["turn", "subagent", "background"];

/**
 * Number of more urgent requests in a row that may pass a class before its first one moves up a class, so that none
 * waits forever. Requests of a class that gets its share do not move up, however many are waiting: otherwise subagents
 * would overtake the turn that started them.
 */
const PATIENCE = 8;

/**
 * A turn returns to its slot after its tools and subagents: others can only take the slot after this many more grants.
 */
const HEAD_START = 32;

/** A place in the line. */
export interface Ticket {
  /** The number of requests that must end before this one may begin; 0: it may. */
  readonly ahead: number;
  /** The slot assigned to it; absent while it waits. */
  readonly slot: number | undefined;
  /** Resolves when `ahead` changes, or the signal aborts. Only one caller may wait for it. */
  changed(signal: AbortSignal): Promise<void>;
  /** Leaves the line, or releases the slot. A second call does nothing. */
  leave(): void;
}

export type QueueRequest = { priority: Priority; lane?: string | undefined };

/**
 * The queue of a server with few slots. A free slot goes to the most urgent waiting class, first come first served; a
 * class that is repeatedly passed over rises. A lane gets its last slot if that is free, because the server still
 * caches its prefix there.
 */
export class EndpointQueue {
  readonly #states: SlotState[] = [];
  #waiting: QueuedRequest[] = [];
  /** How many more urgent requests were served since the last one of a waiting class. */
  readonly #passedOver = new Map<Priority, number>();
  #arrivals = 0;
  #grants = 0;
  #slots = 1;

  constructor(slots: number) {
    this.setSlots(slots);
  }

  get slots(): number {
    return this.#slots;
  }

  /** The new number applies from now on; running requests continue. */
  setSlots(slots: number): void {
    this.#slots = Math.max(1, Math.floor(slots) || 1);
    for (let slot = this.#states.length; slot < this.#slots; slot += 1) {
      this.#states.push({ slot, taken: false, cacheValue: Number.NEGATIVE_INFINITY });
    }
    this.#serve();
  }

  enter({ priority, lane }: QueueRequest): Ticket {
    this.#arrivals += 1;
    const queued = new QueuedRequest(priority, lane, this.#arrivals, () => this.#leave(queued));
    this.#waiting.push(queued);
    this.#serve();
    return queued;
  }

  #leave(queued: QueuedRequest): void {
    if (queued.state) queued.state.taken = false;
    else this.#waiting = this.#waiting.filter((each) => each !== queued);
    this.#serve();
  }

  #serve(): void {
    let order = this.#inOrder();
    for (let [next] = order; next; [next] = order) {
      const state = this.#freeSlotFor(next);
      if (!state) break;
      this.#grant(next, state);
      order = this.#inOrder();
    }
    for (const [index, queued] of order.entries()) queued.updateAhead(index + 1);
  }

  #grant(queued: QueuedRequest, state: SlotState): void {
    this.#grants += 1;
    this.#waiting = this.#waiting.filter((each) => each !== queued);
    this.#countPassed(queued);
    state.taken = true;
    state.lane = queued.lane;
    state.cacheValue = cacheValueOf(queued.priority, this.#grants);
    queued.assign(state);
  }

  #countPassed({ priority }: QueuedRequest): void {
    const served = CLASSES.indexOf(priority);
    this.#passedOver.delete(priority);
    for (const [rank, waiting] of CLASSES.entries()) {
      if (rank <= served) continue;
      const isThere = this.#waiting.some((each) => each.priority === waiting);
      this.#passedOver.set(waiting, isThere ? (this.#passedOver.get(waiting) ?? 0) + 1 : 0);
    }
  }

  #inOrder(): QueuedRequest[] {
    const byArrival = this.#waiting.toSorted((a, b) => a.arrival - b.arrival);
    const firsts = new Set(CLASSES.map((priority) => byArrival.find((each) => each.priority === priority)));
    const rank = (each: QueuedRequest) => rankOf(each) - (firsts.has(each) ? this.#risenBy(each.priority) : 0);
    return byArrival.toSorted((a, b) => Math.max(0, rank(a)) - Math.max(0, rank(b)));
  }

  #risenBy(priority: Priority): number {
    return Math.floor((this.#passedOver.get(priority) ?? 0) / PATIENCE);
  }

  /** A free slot: the lane's own, or else the one with the least valuable content. */
  #freeSlotFor({ lane }: QueuedRequest): SlotState | undefined {
    const free = this.#states.filter((state) => !state.taken && state.slot < this.#slots);
    const own = lane === undefined ? undefined : free.find((state) => state.lane === lane);
    return own ?? free.toSorted((a, b) => a.cacheValue - b.cacheValue || a.slot - b.slot)[0];
  }
}

type SlotState = {
  slot: number;
  taken: boolean;
  /** The conversation whose prefix the server has cached there. */
  lane?: string | undefined;
  /** The least valuable one is given away first. */
  cacheValue: number;
};

/**
 * The value of a slot's cached prefix: the most recent counts most. A background request, such as a title, leaves
 * nothing of value.
 */
function cacheValueOf(priority: Priority, grants: number): number {
  if (priority === "background") return 0;
  return priority === "turn" ? grants + HEAD_START : grants;
}

function rankOf({ priority }: QueuedRequest): number {
  return CLASSES.indexOf(priority);
}

class QueuedRequest implements Ticket {
  readonly priority: Priority;
  readonly lane: string | undefined;
  readonly arrival: number;
  readonly #onLeave: () => void;
  state: SlotState | undefined;
  #ahead = 0;
  #hasLeft = false;
  #wake: () => void = () => undefined;

  constructor(priority: Priority, lane: string | undefined, arrival: number, onLeave: () => void) {
    this.priority = priority;
    this.lane = lane;
    this.arrival = arrival;
    this.#onLeave = onLeave;
  }

  get ahead(): number {
    return this.#ahead;
  }

  get slot(): number | undefined {
    return this.state?.slot;
  }

  updateAhead(ahead: number): void {
    if (this.#ahead === ahead) return;
    this.#ahead = ahead;
    this.#wake();
  }

  assign(state: SlotState): void {
    this.state = state;
    this.#ahead = 0;
    this.#wake();
  }

  async changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener("abort", wake);
    });
  }

  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#onLeave();
  }
}

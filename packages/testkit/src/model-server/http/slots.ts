import type { HttpExchange } from "./exchange.ts";

/** A request for the queue in front of a model. */
export interface SlotWish {
  model: string;
  /** Undefined if nothing waits. */
  capacity: number | undefined;
  /** Exactly this slot, as with llama.cpp's `id_slot`; any slot if the number does not exist. */
  slot?: number | undefined;
}

interface Waiter {
  exchange: HttpExchange;
  slot: number | undefined;
  admit(slot: number): void;
}

interface Pool {
  busy: Set<number>;
  waiting: Waiter[];
}

/**
 * The slots of a server's models: as many requests as there are slots are answered concurrently, the others wait in
 * turn.
 */
export class ModelSlots {
  readonly #pools = new Map<string, Pool>();
  /** Requests currently being answered, whatever their model. */
  #inFlight = 0;

  /**
   * Resolves when the request may be answered, or when its client has left. The slot is free again when the response
   * ends.
   */
  async enter(wish: SlotWish, exchange: HttpExchange): Promise<void> {
    const pool = this.#poolOf(wish.model);
    const { capacity = Number.POSITIVE_INFINITY } = wish;
    const wanted = wish.slot !== undefined && wish.slot >= 0 && wish.slot < capacity ? wish.slot : undefined;
    let slot = freeSlot(pool, wanted, capacity);
    if (slot === undefined) {
      const turn = Promise.withResolvers<number>();
      const waiter = { exchange, slot: wanted, admit: turn.resolve };
      pool.waiting.push(waiter);
      slot = await exchange.waitFor(turn.promise);
      pool.waiting = pool.waiting.filter((one) => one !== waiter);
    } else {
      pool.busy.add(slot);
    }
    if (slot === undefined) return;
    const taken = slot;
    this.#inFlight += 1;
    exchange.record.inFlight = this.#inFlight;
    exchange.record.slot = taken;
    exchange.onGone(() => {
      this.#inFlight -= 1;
      pool.busy.delete(taken);
      handOn(pool, taken);
    });
  }

  busyOf(model: string): ReadonlySet<number> {
    return this.#poolOf(model).busy;
  }

  #poolOf(model: string): Pool {
    const known = this.#pools.get(model);
    if (known !== undefined) return known;
    const pool: Pool = { busy: new Set(), waiting: [] };
    this.#pools.set(model, pool);
    return pool;
  }
}

/** The slot is taken on behalf of the waiting request, so that no later request overtakes it. */
function handOn(pool: Pool, slot: number): void {
  const next = pool.waiting.find(
    (waiter) => !waiter.exchange.gone && (waiter.slot === undefined || waiter.slot === slot),
  );
  if (next === undefined) return;
  pool.waiting = pool.waiting.filter((waiter) => waiter !== next);
  pool.busy.add(slot);
  next.admit(slot);
}

function freeSlot(pool: Pool, wanted: number | undefined, capacity: number): number | undefined {
  if (wanted !== undefined) return pool.busy.has(wanted) ? undefined : wanted;
  let slot = 0;
  while (pool.busy.has(slot)) slot += 1;
  return slot < capacity ? slot : undefined;
}

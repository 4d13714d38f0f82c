import type { SessionUpdate, StoredFact } from "../vocabulary/updates.ts";

/**
 * Reads the facts of a session and keeps what it needs of them: the state, the messages for the model, the open work.
 * It gets each fact once, in the order of `seq`, and may be rebuilt from the log at any time: its content follows from
 * the facts alone. `see` never throws, whatever a log contains, and does not change the fact, because other views see
 * the same object. `factViewContract` of the testkit checks this for every view.
 */
export type FactView = {
  see(fact: StoredFact): void;
};

/**
 * A view of what the server sends. Each update names its session; a fact that could not be stored has no `seq`. A
 * client sees deltas as well, and the fact that completes them contains everything they said.
 */
export type UpdateView = {
  see(update: SessionUpdate): void;
};

import type { SessionUpdate } from "@harness/protocol";
import type { LiveEntry } from "./live-entry.ts";

/** Follows all sessions that are in memory. */
export type SessionObserver = {
  onOpened?(entry: LiveEntry): void;
  /** Called after a fact is stored and sent. */
  onFact?(fact: SessionUpdate): void;
  /** The end of the session waits for it. */
  onClosed?(sessionId: string): void | Promise<void>;
};

import type { SessionUpdate, UpdateView } from "@harness/protocol";
import type { LiveEntry } from "./live-entry.ts";

/** Follows all sessions in memory. `see` is called after a fact is stored and sent. */
export type SessionObserver = Partial<UpdateView> & {
  /** Deltas as they are sent, joined. */
  seeDelta?(update: SessionUpdate): void;
  onOpened?(entry: LiveEntry): void;
  /** The end of the session waits for it. */
  onClosed?(sessionId: string): void | Promise<void>;
};

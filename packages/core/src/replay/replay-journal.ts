import type { StoredFact } from "@harness/protocol";
import { Journal } from "../journal/journal.ts";
import type { JournalEntry } from "../journal/open-work-ledger.ts";

/** The facts of a replay are those of the log: what steps record has no effect, because the log has it already. */
export class ReplayJournal extends Journal {
  override append({ agentId, turnId, update }: JournalEntry): StoredFact {
    return { seq: this.seq, at: "", agentId, ...(turnId === undefined ? {} : { turnId }), update };
  }

  override record(): void {
    // It is in the log.
  }

  override announceUnstored(): void {
    // Nobody listens.
  }

  override delta(): void {
    // Nobody listens.
  }
}

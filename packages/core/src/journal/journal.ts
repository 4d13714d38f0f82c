import {
  applyUpdate,
  type Delta,
  emptySession,
  type Fact,
  type FactView,
  ROOT_AGENT,
  type SessionState,
  type StoredFact,
  stateView,
} from "@harness/protocol";
import { LogWriteError } from "../ports/session-log.ts";
import type { SessionEvent, SessionPorts } from "../ports/session-ports.ts";
import { type JournalEntry, OpenWorkLedger } from "./open-work-ledger.ts";

type JournalPorts = Pick<SessionPorts, "log" | "runtime" | "emit">;

/**
 * The only way for a fact into the session: it is stored, shown to every view, the state first, and then announced.
 * After a fact could not be stored, nothing is stored until `resume`, so that the log never has a later fact without
 * the earlier one.
 */
export class Journal {
  /** Without the texts and images of results. */
  readonly state: SessionState;
  readonly open = new OpenWorkLedger();
  /** The ids of all calls so far; a new call needs a new one. */
  readonly callIds = new Set<string>();
  /** Called when the log fails: all work must stop. */
  onHalt: () => void = () => undefined;
  readonly #ports: JournalPorts;
  readonly #views: FactView[];
  #halted: string | undefined;
  #complained = false;
  #closed = false;
  #seq = 0;

  constructor(ports: JournalPorts) {
    this.#ports = ports;
    this.state = emptySession(ports.log.header.sessionId);
    this.#views = [lightView(this.state), this.open, { see: (fact) => addCallIds(this.callIds, fact) }];
  }

  /** Why nothing can be stored at the moment; undefined if it can. */
  get halted(): string | undefined {
    return this.#halted;
  }

  /** The number of the last fact; 0: there is none. */
  get seq(): number {
    return this.#seq;
  }

  /** Shows the view every fact from now on, before it is announced. */
  watch(view: FactView): void {
    this.#views.push(view);
  }

  /** Loads the facts of the session's earlier life, and returns the last one. */
  load(facts: Iterable<StoredFact>): StoredFact | undefined {
    let last: StoredFact | undefined;
    for (const fact of facts) {
      this.#show(fact);
      last = fact;
    }
    return last;
  }

  /** Stores and announces a fact. Throws `LogWriteError`: then nothing happened, and the turn must end. */
  append(entry: JournalEntry): StoredFact {
    if (this.#halted !== undefined) throw new LogWriteError(this.#halted);
    let stored: StoredFact;
    try {
      stored = this.#ports.log.append({ ...entry, at: this.#now() });
    } catch (error) {
      throw this.#halt(error);
    }
    this.#show(stored);
    this.#announce({ stored });
    return stored;
  }

  /** Stores the fact if the log takes it; otherwise announces it as unstored. */
  record(entry: JournalEntry): void {
    if (this.#halted === undefined) {
      try {
        this.append(entry);
        return;
      } catch (error) {
        if (!(error instanceof LogWriteError)) throw error;
      }
    }
    this.announceUnstored(entry);
  }

  announceUnstored({ agentId, turnId, update }: JournalEntry): void {
    if (this.#closed) return;
    const event = { agentId, ...(turnId === undefined ? {} : { turnId }), at: this.#now() };
    applyUpdate(this.state, { ...event, update });
    this.#announce({ ...event, unstored: update });
  }

  delta(agentId: string, turnId: string | undefined, delta: Delta): void {
    if (this.#closed) return;
    const event = turnId === undefined ? { agentId } : { agentId, turnId };
    applyUpdate(this.state, { ...event, update: delta });
    this.#announce({ ...event, delta });
  }

  /**
   * Tries the log again and records the end of what the failure left open. Returns false if it still fails; see
   * `halted`.
   */
  resume(): boolean {
    if (this.#halted === undefined) return true;
    this.#halted = undefined;
    try {
      for (const entry of this.open.closing()) this.append(entry);
      const title = "This session can be saved again.";
      this.append({ agentId: ROOT_AGENT, update: { sessionUpdate: "notice", severity: "info", title } });
    } catch (error) {
      if (error instanceof LogWriteError) return false;
      throw error;
    }
    this.#complained = false;
    return true;
  }

  /** After this nothing is stored or announced. */
  close(): void {
    this.#closed = true;
    this.#halted = "The session is closed.";
  }

  /** A listener that fails is a bug of its own: the session continues. */
  #announce(event: SessionEvent): void {
    try {
      this.#ports.emit(event);
    } catch (error) {
      this.#ports.runtime.report(error, "emit");
    }
  }

  #show(fact: StoredFact): void {
    this.#seq = fact.seq;
    for (const view of this.#views) view.see(fact);
  }

  #halt(error: unknown): LogWriteError {
    const failure = error instanceof LogWriteError ? error : new LogWriteError("The log failed for an unknown reason.");
    if (failure !== error) this.#ports.runtime.report(error, "log.append");
    this.#halted = failure.message;
    if (!this.#complained) {
      this.#complained = true;
      this.announceUnstored({ agentId: ROOT_AGENT, update: unsavedNotice(failure.message) });
    }
    this.onHalt();
    return failure;
  }

  #now(): string {
    return new Date(this.#ports.runtime.clock.now()).toISOString();
  }
}

/** Leaves out the texts and images of results, which are in the log: a long session would not fit in memory. */
function lightView(state: SessionState): FactView {
  const view = stateView(state);
  return { see: (fact) => view.see(withoutResult(fact)) };
}

/** The fact without the text, blocks and images of a result. */
export function withoutResult(fact: StoredFact): StoredFact {
  const { update } = fact;
  if (update.sessionUpdate !== "tool_call_update" || !update.outcome) return fact;
  const { images: _images, ...outcome } = update.outcome;
  return { ...fact, update: { ...update, outcome: { ...outcome, text: "", blocks: [] } } };
}

function addCallIds(ids: Set<string>, { update }: StoredFact): void {
  if (update.sessionUpdate === "tool_call_update") ids.add(update.toolCallId);
  if (update.sessionUpdate !== "agent_message") return;
  for (const part of update.parts) if (part.type === "tool_call") ids.add(part.toolCallId);
}

function unsavedNotice(reason: string): Fact {
  return {
    sessionUpdate: "notice",
    severity: "error",
    title: "This session can no longer be saved.",
    description: `${reason} What happens until then is lost when harness ends; your next message continues the session.`,
  };
}

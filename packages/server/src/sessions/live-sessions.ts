import { protocolError, type SessionUpdate } from "@harness/protocol";
import { ClientRequests } from "./client-requests.ts";
import { createUpdateSender, type LiveEntry } from "./live-entry.ts";
import type { SessionObserver } from "./session-observer.ts";
import type { SessionOpener, SessionStart } from "./session-opener.ts";
import { Subscribers } from "./subscribers.ts";

/** How long the work of a session may take to end when the session is closed by request. */
export const CLOSE_GRACE_MS = 3_000;
/** How long the processes of a session get to end by themselves when it is closed. */
const PROCESS_GRACE_MS = 500;

/** The sessions in memory. */
export class LiveSessions {
  readonly #openSession: SessionOpener;
  readonly #observers: readonly SessionObserver[];
  readonly #waits: () => boolean;
  readonly #entries = new Map<string, LiveEntry>();

  /** `waits`: whether requests may wait for a client that comes later. */
  constructor(openSession: SessionOpener, observers: readonly SessionObserver[], waits: () => boolean) {
    this.#openSession = openSession;
    this.#observers = observers;
    this.#waits = waits;
  }

  get(sessionId: string): LiveEntry | undefined {
    return this.#entries.get(sessionId);
  }

  /** The same, updated with changes to its files before its history is shown. */
  upToDate(sessionId: string): LiveEntry | undefined {
    const entry = this.get(sessionId);
    entry?.session.takeFiles();
    return entry;
  }

  /** Returns a session in memory; throws `not_found` otherwise. */
  need(sessionId: string): LiveEntry {
    const entry = this.#entries.get(sessionId);
    if (entry) return entry;
    throw protocolError(
      "not_found",
      `Session ${sessionId} is not open. Open it with session/resume, or start one with session/new.`,
      { what: "session", id: sessionId },
    );
  }

  all(): LiveEntry[] {
    return [...this.#entries.values()];
  }

  /** Call after a change of rules, settings or trust: sessions follow it, including open permission requests. */
  reevaluate(): void {
    for (const { session } of this.#entries.values()) session.reevaluate();
  }

  /** Opens a session on its log. */
  open(start: SessionStart): LiveEntry {
    const { log, request, loaded } = start;
    const { sessionId } = log.header;
    const subscribers = new Subscribers({ untoldAfter: start.untold });
    const requests = new ClientRequests(sessionId, subscribers.clients, this.#waits);
    const emit = createUpdateSender(sessionId, subscribers, {
      see: (fact) => this.#announceFact(fact),
      seeDelta: (update) => {
        for (const observer of this.#observers) observer.seeDelta?.(update);
      },
    });
    const opened = this.#openSession(start, { asker: requests, emit, clients: subscribers.clients });
    const entry: LiveEntry = {
      ...opened,
      log,
      subscribers,
      requests,
      damage: loaded?.damage,
      isResumed: loaded !== undefined,
    };
    this.#entries.set(sessionId, entry);
    // A permission mode such as `allow-all` only applies to the run that asked for it: reopening the session asks
    // again.
    entry.session.begin(request.config ?? {});
    for (const observer of this.#observers) observer.onOpened?.(entry);
    return entry;
  }

  async close(sessionId: string, graceMs: number): Promise<void> {
    const entry = this.#entries.get(sessionId);
    if (!entry) return;
    // Processes end first, so that the log can still record it.
    entry.session.cancel();
    await entry.processes.close(PROCESS_GRACE_MS);
    await entry.session.close(graceMs);
    entry.sandbox.close();
    this.#entries.delete(sessionId);
    await Promise.all(this.#observers.map((observer) => observer.onClosed?.(sessionId)));
  }

  async closeAll(graceMs: number): Promise<void> {
    await Promise.all(this.all().map(({ session }) => this.close(session.sessionId, graceMs)));
  }

  #announceFact(fact: SessionUpdate): void {
    for (const observer of this.#observers) observer.see?.(fact);
  }
}

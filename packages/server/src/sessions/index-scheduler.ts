import type { SessionUpdate } from "@harness/protocol";
import type { SessionObserver } from "./session-observer.ts";

/** After the start, a refresh or the last change: other work is likely to be over by then. */
const IDLE_MS = 30_000;
/** After a search, or when a session was closed. */
const SOON_MS = 1_000;

type SchedulerDeps = {
  /** Ends early when the signal aborts. */
  refresh(signal: AbortSignal): Promise<void>;
  isWorking(): boolean;
  /** Returns a function that cancels the call. Keeps no process alive. */
  later(ms: number, work: () => void): () => void;
  report(error: unknown, where: string): void;
};

/** Keeps the index of searches up to date while the server has nothing else to do. Nothing waits for it. */
export class IndexScheduler implements SessionObserver {
  readonly #deps: SchedulerDeps;
  #cancel: () => void = () => undefined;
  #running: AbortController | undefined;
  #isClosed = false;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  begin(): void {
    this.#after(IDLE_MS);
  }

  soon(): void {
    this.#after(SOON_MS);
  }

  onClosed(): void {
    this.soon();
  }

  see({ update }: SessionUpdate): void {
    if (update.sessionUpdate !== "state_update") return;
    if (update.state === "running") this.#running?.abort();
    else this.#after(IDLE_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
    this.#running?.abort();
  }

  #after(ms: number): void {
    this.#cancel();
    if (!this.#isClosed) this.#cancel = this.#deps.later(ms, () => void this.#run());
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    if (this.#deps.isWorking()) {
      this.#after(IDLE_MS);
      return;
    }
    const running = new AbortController();
    this.#running = running;
    try {
      await this.#deps.refresh(running.signal);
    } catch (error) {
      this.#deps.report(error, "the index of searches");
    }
    this.#running = undefined;
  }
}

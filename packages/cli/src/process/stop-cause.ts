import { bugReport, failureText } from "../text/failure-text.ts";
import { type ExitReason, exitCodes } from "./exit-codes.ts";
import { printNote } from "./print-note.ts";

/** A tenth of a second. On a busy machine a tick takes longer: this process and those it ends had less time, too. */
const TICK_MS = 100;
/** How long work may take to end once it is hurried; then its result is written as far as it is known. */
const LATE_TICKS = 17;
/** When the process ends at the latest, even if nobody reads its output. */
const END_TICKS = 19;

/** Thrown by work that was stopped from outside; `StopCause` has the reason. */
class StoppedError extends Error {
  override readonly name = "Stopped";
}

/**
 * The reason that ended a run early: a signal, a timeout, a permission request, a lost reader. The first one counts.
 */
export class StopCause {
  ending: ExitReason | undefined;
  /** A message for people; absent if it would not be read. */
  message: string | undefined;
  readonly #stopped = Promise.withResolvers<never>();
  readonly #late = Promise.withResolvers<undefined>();

  constructor() {
    // The rejection may have no listener.
    this.#stopped.promise.catch(() => undefined);
  }

  by(ending: ExitReason, message?: string): void {
    if (this.ending) return;
    this.ending = ending;
    this.message = message;
    this.#stopped.reject(new StoppedError());
  }

  /** Gives stopped work only moments to end, and the process two seconds. */
  hurry(ending: ExitReason): void {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      if (ticks === LATE_TICKS) this.#late.resolve(undefined);
      if (ticks === END_TICKS) process.exit(exitCodes[ending].code);
    }, TICK_MS);
    timer.unref();
  }

  /** Returns the result of the work; undefined if it took too long after `hurry`. */
  unlessLate<T>(work: Promise<T>): Promise<T | undefined> {
    return Promise.race([work, this.#late.promise]);
  }

  /** Returns the result of the work; undefined if the run was stopped first. The work itself continues unobserved. */
  async unlessStopped<T>(work: Promise<T>): Promise<{ value: T } | undefined> {
    try {
      return { value: await Promise.race([work, this.#stopped.promise]) };
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
      work.catch(() => undefined);
      return undefined;
    }
  }
}

const signals = {
  // A user may wait for the turn to end cleanly, or interrupt again; after the other signals nobody is there to do so.
  SIGINT: { ending: "interrupted", message: "Interrupted.", hint: " Interrupt again to end at once.", hurries: false },
  SIGTERM: { ending: "terminated", message: "Ended by SIGTERM.", hint: "", hurries: true },
  SIGHUP: { ending: "hungUp", message: "The terminal was closed.", hint: "", hurries: true },
} as const;

/** Lets signals and uncaught errors stop the run cleanly; a second signal ends the process at once. */
export function stopOnSignals(stop: StopCause, say: (text: string) => void): void {
  for (const [signal, { ending, message, hint, hurries }] of Object.entries(signals)) {
    process.on(signal, () => {
      if (stop.ending) process.exit(exitCodes[ending].code);
      stop.by(ending, message);
      if (hurries) stop.hurry(ending);
      say(message + hint);
    });
  }
  process.on("uncaughtException", (error) => {
    const report = bugReport(error);
    if (report !== undefined) printNote(report);
    if (stop.ending) process.exit(exitCodes.failed.code);
    stop.by("failed", failureText(error));
  });
}

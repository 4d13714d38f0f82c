import { type Ending, exitCodes } from "./exit-codes.ts";
import { printNote } from "./print-note.ts";

/** Thrown by work that was stopped from outside; `StopCause` has the reason. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

/**
 * The reason that ended a run early: a signal, a timeout, a permission request, a lost reader. The first one counts.
 */
export class StopCause {
  ending: Ending | undefined;
  /** A message for people; absent where it would not be read. */
  message: string | undefined;
  readonly #stopped = Promise.withResolvers<never>();

  constructor() {
    // The rejection may have no listener.
    this.#stopped.promise.catch(() => undefined);
  }

  by(ending: Ending, message?: string): void {
    if (this.ending) return;
    this.ending = ending;
    this.message = message;
    this.#stopped.reject(new Stopped());
  }

  /** Returns the result of the work; undefined when the run was stopped first. The work itself continues unobserved. */
  async unlessStopped<T>(work: Promise<T>): Promise<{ value: T } | undefined> {
    try {
      return { value: await Promise.race([work, this.#stopped.promise]) };
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      work.catch(() => undefined);
      return undefined;
    }
  }
}

const signals = {
  SIGINT: { ending: "interrupted", message: "Interrupted.", hint: " Interrupt again to end at once." },
  SIGTERM: { ending: "terminated", message: "Ended by SIGTERM.", hint: "" },
  SIGHUP: { ending: "hungUp", message: "The terminal went away.", hint: "" },
} as const;

/** Lets signals and uncaught errors stop the run in order; a second signal ends the process at once. */
export function stopOnSignals(stop: StopCause, say: (text: string) => void): void {
  for (const [signal, { ending, message, hint }] of Object.entries(signals)) {
    process.on(signal, () => {
      if (stop.ending) process.exit(exitCodes[ending].code);
      stop.by(ending, message);
      say(message + hint);
    });
  }
  process.on("uncaughtException", (error) => {
    printNote(`harness: internal error: ${error.stack ?? error.message}`);
    if (stop.ending) process.exit(exitCodes.failed.code);
    stop.by("failed", `Something went wrong inside harness: ${error.message}`);
  });
}

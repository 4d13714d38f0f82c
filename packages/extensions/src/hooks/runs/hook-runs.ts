import { isRecord, PrivateLog, readRegularFile } from "@harness/host";

/** One run of a hook, in either form. */
export type HookRun = {
  at: string;
  /** The stage, or the name of the event. */
  event: string;
  /** Its name and its file, or the command. */
  name: string;
  path: string;
  cwd: string;
  sessionId?: string | undefined;
  durationMs: number;
  outcome: "ok" | "refused" | "failed" | "cancelled";
  /** Its exit code, the signal that ended it, or why it did not start. */
  exit: string;
  /** Its message, or the problem with its answer. */
  words?: string | undefined;
};

const MAX_KEPT = 500;
const MAX_FILE_BYTES = 1024 * 1024;

/** The last runs of hooks: from this process in memory, from earlier ones in a file. */
export class HookRuns {
  readonly #file: PrivateLog;
  readonly #report: (error: unknown, where: string) => void;
  /** The last run by path and event, oldest first. */
  readonly #last = new Map<string, HookRun>();
  #isLoaded = false;
  #totalMs = 0;

  /** Neither reads nor creates anything yet. */
  constructor(path: string, report: (error: unknown, where: string) => void) {
    this.#file = new PrivateLog(path, { maxBytes: MAX_FILE_BYTES, kept: 1 });
    this.#report = report;
  }

  /** `isPrivate`: for a session that leaves nothing behind. */
  add(run: HookRun, { isPrivate }: { isPrivate: boolean }): void {
    this.#totalMs += run.durationMs;
    this.#keep(run);
    if (isPrivate) return;
    try {
      this.#file.append(JSON.stringify(run));
    } catch (error) {
      // A full disk must not cause a second failure.
      this.#report(error, "hook runs");
    }
  }

  /** The total run time of this process's hooks. */
  get totalMs(): number {
    return this.#totalMs;
  }

  /** Undefined if no run is known. */
  last(event: string, path: string): HookRun | undefined {
    this.#load();
    return this.#last.get(keyOf({ event, path }));
  }

  /** The runs of an event or a stage, newest first. */
  of(event: string): HookRun[] {
    this.#load();
    return [...this.#last.values()].filter((run) => run.event === event).reverse();
  }

  #keep(run: HookRun): void {
    const key = keyOf(run);
    this.#last.delete(key);
    this.#last.set(key, run);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MAX_KEPT && oldest !== undefined) this.#last.delete(oldest);
  }

  /** Runs written by earlier processes come before our own. */
  #load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const own = [...this.#last.values()];
    for (const path of this.#file.files.toReversed()) for (const run of readRuns(path)) this.#keep(run);
    for (const run of own) this.#keep(run);
  }
}

function keyOf({ event, path }: Pick<HookRun, "event" | "path">): string {
  return `${event}\n${path}`;
}

function readRuns(path: string): HookRun[] {
  try {
    return readRegularFile(path, { maxBytes: 2 * MAX_FILE_BYTES, followLinks: true })
      .toString("utf8")
      .split("\n")
      .flatMap((line) => runOf(line) ?? []);
  } catch {
    return [];
  }
}

const OUTCOMES = ["ok", "refused", "failed", "cancelled"] as const;

/** Undefined for a torn line, or one of a different version. */
function runOf(line: string): HookRun | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) return undefined;
    const { at, event, name, path, cwd, durationMs, exit, words, sessionId } = value;
    const outcome = OUTCOMES.find((each) => each === value.outcome);
    if (typeof at !== "string" || typeof event !== "string" || typeof name !== "string") return undefined;
    if (typeof path !== "string" || typeof cwd !== "string" || typeof exit !== "string" || !outcome) return undefined;
    if (typeof durationMs !== "number") return undefined;
    return {
      ...{ at, event, name, path, cwd, durationMs, exit, outcome },
      ...(typeof words === "string" && { words }),
      ...(typeof sessionId === "string" && { sessionId }),
    };
  } catch {
    return undefined;
  }
}

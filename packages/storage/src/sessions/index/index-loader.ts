import { setImmediate, setTimeout } from "node:timers/promises";
import type { LoadedSession, StoreProblem } from "@harness/core";
import type { IndexFile } from "./index-file.ts";
import { goesOn, partsAfter } from "./indexed-facts.ts";
import type { IndexedSession, IndexedText, IndexStep } from "./text-index.ts";

/** Reads for this long, then writes, which takes about as long, and lets other work of the process have its turn. */
const READ_MS = 4;
/** Another process writes for a few milliseconds at a time. */
const MAX_ATTEMPTS = 5;
const BETWEEN_MS = 15;

export type StaleSession = { sessionId: string; stamp: string; known: IndexedSession | undefined };
export type ReadSession = (sessionId: string) => LoadedSession | StoreProblem;
/** `busy`: another process is writing; `none`: the index cannot be written. */
type LoadState = "ready" | "busy" | "none";

type LoaderDeps = {
  file: IndexFile;
  read: ReadSession;
  isAppendOnly(sessionId: string): boolean;
  isOver(): boolean;
};

/**
 * Brings the index up to date with sessions that have changed: in slices, each a transaction of its own, so that a process
 * that is killed loses only what the next search reads again.
 */
export class IndexLoader {
  readonly #file: IndexFile;
  readonly #read: ReadSession;
  readonly #isAppendOnly: (sessionId: string) => boolean;
  /** Asked after each slice. */
  readonly #isOver: () => boolean;
  #steps: IndexStep[] = [];
  #sliceEnd = 0;
  #state: LoadState = "ready";

  constructor({ file, read, isAppendOnly, isOver }: LoaderDeps) {
    this.#file = file;
    this.#read = read;
    this.#isAppendOnly = isAppendOnly;
    this.#isOver = isOver;
  }

  /** `unreadable`: the ids of sessions that could not be read, with sentences that say why. */
  async write(stale: readonly StaleSession[]): Promise<{ state: LoadState; unreadable: Map<string, string> }> {
    const unreadable = new Map<string, string>();
    this.#sliceEnd = performance.now() + READ_MS;
    for (const session of stale) {
      if (this.#hasEnded()) break;
      const problem = await this.#session(session);
      if (problem !== undefined) unreadable.set(session.sessionId, problem);
      if (this.#isSliceOver()) await this.#endSlice();
    }
    await this.#flush();
    return { state: this.#state, unreadable };
  }

  async #session({ sessionId, stamp, known }: StaleSession): Promise<string | undefined> {
    const reading = this.#read(sessionId);
    if ("problem" in reading) return reading.problem;
    try {
      const start = this.#isAppendOnly(sessionId) && goesOn(reading, known) ? known : undefined;
      let before = known;
      let after = { stamp: "", seq: start?.seq ?? 0, check: start?.check ?? "" };
      let startsOver = start === undefined;
      let texts: IndexedText[] = [];
      const addStep = (reached: IndexedSession) => {
        this.#steps.push({ sessionId, before, after: reached, startsOver, texts });
        before = reached;
        startsOver = false;
        texts = [];
      };
      for (const part of partsAfter(reading, after.seq)) {
        texts.push(...part.texts);
        after = { stamp: "", seq: part.seq, check: part.check };
        if (!this.#isSliceOver()) continue;
        addStep(after);
        await this.#endSlice();
        if (this.#hasEnded()) return undefined;
      }
      addStep({ ...after, stamp });
      return undefined;
    } catch (error) {
      return unreadableText(sessionId, error);
    }
  }

  #hasEnded(): boolean {
    return this.#state !== "ready" || this.#isOver();
  }

  #isSliceOver(): boolean {
    return performance.now() >= this.#sliceEnd;
  }

  async #endSlice(): Promise<void> {
    await this.#flush();
    await setImmediate();
    this.#sliceEnd = performance.now() + READ_MS;
  }

  async #flush(): Promise<void> {
    const steps = this.#steps;
    this.#steps = [];
    for (let attempt = 0; steps.length > 0 && attempt < MAX_ATTEMPTS; attempt += 1) {
      const answer = this.#file.use((index) => index.add(steps));
      this.#state = typeof answer === "string" ? answer : "ready";
      if (this.#state !== "busy") return;
      await setTimeout(BETWEEN_MS);
    }
  }
}

/** A log can be replaced, or be unreadable from some place on, while it is read. */
export function unreadableText(sessionId: string, error: unknown): string {
  return `Session ${sessionId} could not be read: ${error instanceof Error ? error.message : String(error)}`;
}

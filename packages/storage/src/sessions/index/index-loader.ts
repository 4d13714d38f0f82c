import { setImmediate, setTimeout } from "node:timers/promises";
import type { LoadedSession, StoreProblem } from "@harness/core";
import type { IndexFile } from "./index-file.ts";
import { goesOn, partsAfter } from "./indexed-facts.ts";
import type { IndexedSession, IndexedText, IndexStep, TextIndex } from "./text-index.ts";

/**
 * The limits of a slice, by time and by amount of text, which takes about as long to write. Other work runs between
 * slices.
 */
const READ_MS = 3;
const WRITE_CHARS = 8_000;
/** How many entries one transaction removes. */
const DROP_ENTRIES = 200;
/** Other processes hold the lock for a few milliseconds at a time. */
const MAX_ATTEMPTS = 5;
const BETWEEN_MS = 15;

/** `key`: its name in the index. */
export type StaleSession = { sessionId: string; key: string; stamp: string; known: IndexedSession | undefined };
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
 * Indexes changed sessions, in slices with a transaction each: a killed process loses only what the next search reads
 * again.
 */
export class IndexLoader {
  readonly #file: IndexFile;
  readonly #read: ReadSession;
  readonly #isAppendOnly: (sessionId: string) => boolean;
  /** Called after each slice. */
  readonly #isOver: () => boolean;
  #steps: IndexStep[] = [];
  #sliceEnd = 0;
  #chars = 0;
  #state: LoadState = "ready";

  constructor({ file, read, isAppendOnly, isOver }: LoaderDeps) {
    this.#file = file;
    this.#read = read;
    this.#isAppendOnly = isAppendOnly;
    this.#isOver = isOver;
  }

  /** `unreadable`: the ids of unreadable sessions, each with a sentence that says why. */
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

  /** Removes sessions that are gone or must be read again, by their names in the index. */
  async drop(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      while (!this.#hasEnded()) {
        const isGone = await this.#written((index) => index.dropPart(key, DROP_ENTRIES));
        if (isGone !== false) break;
        await setImmediate();
      }
    }
  }

  async #session({ sessionId, key, stamp, known }: StaleSession): Promise<string | undefined> {
    const reading = this.#read(sessionId);
    if ("problem" in reading) return reading.problem;
    try {
      const start = this.#isAppendOnly(sessionId) && goesOn(reading, known) ? known : undefined;
      if (known && !start) await this.drop([key]);
      if (this.#hasEnded()) return undefined;
      let before = start;
      let after = { stamp: "", seq: start?.seq ?? 0, check: start?.check ?? "" };
      let texts: IndexedText[] = [];
      const addStep = (reached: IndexedSession) => {
        this.#steps.push({ sessionId: key, before, after: reached, texts });
        before = reached;
        texts = [];
      };
      for (const part of partsAfter(reading, after.seq)) {
        texts.push(...part.texts);
        for (const { text } of part.texts) this.#chars += text.length;
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
    return this.#chars >= WRITE_CHARS || performance.now() >= this.#sliceEnd;
  }

  async #endSlice(): Promise<void> {
    await setImmediate();
    await this.#flush();
    await setImmediate();
    this.#sliceEnd = performance.now() + READ_MS;
  }

  async #flush(): Promise<void> {
    const steps = this.#steps;
    this.#steps = [];
    this.#chars = 0;
    if (steps.length > 0) await this.#written((index) => index.add(steps));
  }

  /** Undefined if it could not be written, as the state says. */
  async #written<T>(work: (index: TextIndex) => T): Promise<T | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const answer = this.#file.use(work);
      this.#state = typeof answer === "string" ? answer : "ready";
      if (typeof answer !== "string") return answer.value;
      if (answer === "none") return undefined;
      await setTimeout(BETWEEN_MS);
    }
    return undefined;
  }
}

/** A log may be replaced while it is read, or be unreadable from some point on. */
export function unreadableText(sessionId: string, error: unknown): string {
  return `Session ${sessionId} could not be read: ${error instanceof Error ? error.message : String(error)}`;
}

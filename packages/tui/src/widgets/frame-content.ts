import type { TranscriptItem } from "@harness/protocol";
import type { AppState } from "../state/app-state.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import type { Theme } from "../theme/theme.ts";

export type FrameContent = {
  readonly state: AppState;
  /** The same object as long as nothing in it has changed. */
  readonly view: ChromeView;
  /** On the window's clock, and the time of day. */
  readonly nowMs: number;
  readonly wallNowMs: number;
  /** Moves the spinner. */
  readonly tick: number;
  readonly theme: Theme;
  /** For an inline window: the main agent's entries that are not printed yet. */
  readonly unprinted: TranscriptItem[] | undefined;
};

/** A component that reads part of each moment. */
export type Reader = {
  /** True if in this moment it would read something different from what is drawn. */
  isStale(moment: FrameContent): boolean;
  /** It decides which components with a key scope are mounted. */
  readonly mounts: boolean;
  changed(): void;
};

/** The current moment for the components: the store behind `useWindow`. It changes once a frame. */
export class FrameStore {
  readonly #readers = new Set<Reader>();
  now: FrameContent;

  constructor(first: FrameContent) {
    this.now = first;
  }

  /** Goes on to the next moment; returns true if a component has to be redrawn. */
  advance(next: FrameContent): boolean {
    this.now = next;
    const stale = [...this.#readers].filter((reader) => reader.isStale(next));
    for (const reader of stale) reader.changed();
    return stale.length > 0;
  }

  /** True if in this state the components with a key scope would not be the ones that are mounted. */
  mountsOthers(state: AppState): boolean {
    const moment = { ...this.now, state };
    for (const reader of this.#readers) if (reader.mounts && reader.isStale(moment)) return true;
    return false;
  }

  add(reader: Reader): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }
}

/** Caches a computation for the current moment, however many components ask for it. */
export function oncePerMoment<T>(read: (moment: FrameContent) => T): (moment: FrameContent) => T {
  let last: { of: FrameContent; value: T } | undefined;
  return (moment) => {
    if (last?.of !== moment) last = { of: moment, value: read(moment) };
    return last.value;
  };
}

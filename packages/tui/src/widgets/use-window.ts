import { createContext, useContext, useState, useSyncExternalStore } from "react";
import type { MountedScopes } from "../keymap/mounted-scopes.ts";
import type { Canvas } from "../render/canvas.ts";
import type { TranscriptView } from "../render/transcript/index.ts";
import type { AppState } from "../state/app-state.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import type { FrameContent, FrameStore } from "./frame-content.ts";
import type { LineFieldInput } from "./line-input.ts";

/** Shared by the components of a window. */
export type WindowContextValue = {
  readonly moments: FrameStore;
  readonly canvas: Canvas;
  readonly transcript: TranscriptView;
  /** Passes keys to the field in view. */
  readonly lines: LineFieldInput;
  /** The key scopes of mounted components. */
  readonly scopes: MountedScopes;
};

export const WindowContext = createContext<WindowContextValue | undefined>(undefined);

export function useWindowParts(): WindowContextValue {
  const parts = useContext(WindowContext);
  if (!parts) throw new Error("This component is not part of a window.");
  return parts;
}

type Select<T> = (moment: FrameContent) => T;

/** A component's selector, and its last value. */
class Selection<T> {
  readonly #moments: FrameStore;
  readonly #mounts: boolean;
  select: Select<T>;
  #last: { readonly value: T } | undefined;

  constructor(moments: FrameStore, select: Select<T>, mounts: boolean) {
    this.#moments = moments;
    this.#mounts = mounts;
    this.select = select;
  }

  readonly read = (): T => {
    const value = this.select(this.#moments.now);
    this.#last = { value };
    return value;
  };

  readonly subscribe = (changed: () => void): (() => void) =>
    this.#moments.add({
      changed,
      mounts: this.#mounts,
      isStale: (moment) => this.#last === undefined || !Object.is(this.select(moment), this.#last.value),
    });
}

/**
 * Selects a part of the window's content; the component is redrawn when the value changes (by `Object.is`). Select
 * parts of the state or of the view, or numbers, not objects that are created anew.
 */
export function useWindow<T>(select: Select<T>): T {
  return useSelection(select, { mounts: false });
}

/**
 * Like `useWindow`, for values that decide which components with a key scope are mounted: before a key is offered, they
 * are mounted according to the current state.
 */
export function useMounted<T>(select: (state: AppState) => T): T {
  return useSelection(({ state }) => select(state), { mounts: true });
}

function useSelection<T>(select: Select<T>, { mounts }: { readonly mounts: boolean }): T {
  const { moments } = useWindowParts();
  const [selection] = useState(() => new Selection(moments, select, mounts));
  selection.select = select;
  return useSyncExternalStore(selection.subscribe, selection.read);
}

/** The whole view, for components whose rows depend on much of it. */
export function useView(): ChromeView {
  return useWindow(({ view }) => view);
}

const MINUTE_MS = 60_000;

/** Milliseconds since 1970, for "5 min ago": the component is redrawn each minute. */
export function useTimeOfDay(): number {
  const { moments } = useWindowParts();
  useWindow(({ wallNowMs }) => Math.floor(wallNowMs / MINUTE_MS));
  return moments.now.wallNowMs;
}

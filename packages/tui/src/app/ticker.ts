import type { AppState } from "../state/app-state.ts";
import { isBusy, secondsLeft } from "../state/selectors.ts";

type TickerDeps = {
  store: { get(): AppState; subscribe(listener: () => void): () => void };
  /** Moves the spinner. */
  spin(): void;
  /** Draws a frame with the times of this moment. */
  draw(): void;
};

/** The spinner and the clock of the status line move at this rate, and only while something runs. */
const TICK_MS = 100;
/** The times of background commands have seconds; those of sessions have minutes. */
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** Frames that only show that time goes by, no more often than something in view can change. */
export function tickWithTime({ store, spin, draw }: TickerDeps): { stop(): void } {
  let every = 0;
  let timer: NodeJS.Timeout | undefined;
  const follow = (): void => {
    const wanted = tickOf(store.get());
    if (wanted === every) return;
    every = wanted;
    clearInterval(timer);
    timer = setInterval(() => {
      if (every === TICK_MS) spin();
      draw();
    }, every);
  };
  follow();
  const stop = store.subscribe(follow);
  return {
    stop(): void {
      stop();
      clearInterval(timer);
    },
  };
}

function tickOf(state: AppState): number {
  const { session } = state;
  // A question with an expiry counts down even when no turn is in view.
  if (isBusy(state) || (session?.running.size ?? 0) > 0 || secondsLeft(state, Date.now()) !== undefined) return TICK_MS;
  const inBackground = [...(session?.processes.values() ?? [])].some((process) => process.state === "running");
  return inBackground ? SECOND_MS : MINUTE_MS;
}

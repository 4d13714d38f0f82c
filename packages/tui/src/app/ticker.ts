import type { Presenter } from "../render/index.ts";
import { isBusy, secondsLeft } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import type { WindowPainter } from "../window/window-painter.tsx";
import { settingOf } from "./settings-follower.ts";

/** The spinner and the clock of the status line move at this rate, and only while something runs. */
const TICK_MS = 100;

export function tickWhileBusy(store: Store, painter: WindowPainter, presenter: Presenter): { stop(): void } {
  const tick = (): void => {
    if (settingOf(store, "animations") !== false) painter.tick += 1;
    presenter.requestFrame("stream");
  };
  let timer: NodeJS.Timeout | undefined;
  const follow = (): void => {
    // A question with an expiry counts down even when no turn is in view.
    const state = store.get();
    const atWork = isBusy(state) || (state.session?.running.size ?? 0) > 0;
    const busy = atWork || secondsLeft(state, Date.now()) !== undefined;
    if (busy && !timer) timer = setInterval(tick, TICK_MS);
    if (!busy && timer) {
      clearInterval(timer);
      timer = undefined;
    }
  };
  store.subscribe(follow);
  return { stop: () => clearInterval(timer) };
}

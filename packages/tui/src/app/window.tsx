import { randomUUID } from "node:crypto";
import type { WindowRequest } from "@harness/client";
import { serverConnector } from "../client/server-process.ts";
import { composerAt } from "../composer/composer-rows.ts";
import type { InputEvent } from "../input/index.ts";
import { copyToTerminal } from "../render/clipboard.ts";
import { loadInk, type Presenter, type TerminalModes } from "../render/index.ts";
import { TranscriptView } from "../render/transcript/index.ts";
import { loadScreenViews } from "../screens/index.ts";
import { settingsSlice, settingValue } from "../screens/settings/state.ts";
import { type AppState, initialState } from "../state/app-state.ts";
import { systemClock } from "../state/clock.ts";
import { messageOf } from "../state/composer.ts";
import { isBusy, secondsLeft } from "../state/selectors.ts";
import { createStore, type Store } from "../state/store.ts";
import { sanitise } from "../text/index.ts";
import { DrawingCode } from "../text/markdown/drawing-code.ts";
import { composerLook } from "./footer.ts";
import { Pointer } from "./pointer.ts";
import type { ThemeChoice } from "./theme-choice.ts";
import { createWindowController } from "./window-controller.ts";
import type { WindowPainter } from "./window-painter.tsx";

export type OpenWindowParts = {
  request: WindowRequest;
  env: Record<string, string | undefined>;
  presenter: Presenter;
  themes: ThemeChoice;
  modes: TerminalModes;
  /** The terminal, for what is no part of a frame. */
  output: { write(data: string): unknown };
};

export type OpenWindow = {
  take(event: InputEvent): void;
  resized(): void;
  /** The theme has changed. */
  repaint(): void;
  /** Ends the window after a signal or a bug. */
  end(ending: WindowEnding): void;
  /** The exit code, or the bug that ended it; everything but the terminal is closed by then. */
  readonly ended: Promise<WindowEnding>;
  /** Lines for the normal screen: how to continue, and messages that were not sent. */
  farewell(): string[];
};
export type WindowEnding = { readonly code: number; readonly bug?: unknown };

/** The spinner and the clock of the status line move at this rate, and only while something runs. */
const TICK_MS = 100;

/** Loads Ink, starts the server and takes over the screen from the first frame. */
export async function openWindow(parts: OpenWindowParts): Promise<OpenWindow> {
  const { request, presenter, env } = parts;
  const store = createStore(initialState({ cwd: request.cwd, version: request.version, size: presenter.size }));
  const { promise: ended, resolve: end } = Promise.withResolvers<WindowEnding>();
  const transcript = new TranscriptView({ code: new DrawingCode(() => presenter.requestFrame("stream")) });
  let inKey = false;
  let painter: WindowPainter | undefined;
  const controller = createWindowController({
    request,
    store,
    clock: systemClock,
    connect: serverConnector(request, env),
    newId: randomUUID,
    transcript,
    window: {
      typeInto: (key) => painter?.type(key),
      leave: (code) => end({ code }),
      suspend: () => parts.modes.suspend(),
      redraw: () => presenter.repaint(),
      copy: (text) => copyToTerminal(text, (data) => parts.output.write(data)),
    },
  });
  // The server starts while Ink is loaded: they use two processors.
  controller.start();
  painter = await createPainter(parts, store, transcript, (bug) => end({ code: 1, bug }));
  const pointer = createPointer(parts, store, transcript, painter);
  const ticker = tickWhileBusy(store, () => {
    painter.tick += 1;
    presenter.requestFrame("stream");
  });
  store.subscribe(() => {
    const { settings } = settingsSlice.of(store.get());
    transcript.showThinking(settingValue(settings, "show_thinking") === true);
    if (settings.views) {
      parts.themes.choose(settingValue(settings, "theme"));
      parts.modes.hearMouse(settingValue(settings, "mouse"));
    }
    if (!inKey) presenter.requestFrame("stream");
  });
  presenter.start(() => pointer.drawn(painter.draw(), painter.scrollArea));
  return {
    take(event) {
      inKey = true;
      try {
        if (event.type === "mouse") return pointer.take(event);
        if (event.type === "key" || event.type === "paste") pointer.clear();
        controller.keyboard.take(event);
      } finally {
        inKey = false;
        presenter.requestFrame("key");
      }
    },
    resized() {
      const { columns, rows } = presenter.size;
      painter.resize(columns, rows);
      store.set({ size: { columns, rows } });
    },
    repaint: () => painter.forget(),
    end,
    ended: ended.then(async (ending) => {
      ticker.stop();
      painter.close();
      // A server that does not end must not hold the terminal.
      await controller.close().catch(() => undefined);
      return ending;
    }),
    farewell: () => farewell(store.get()),
  };
}

async function createPainter(
  { presenter, themes }: OpenWindowParts,
  store: Store,
  transcript: TranscriptView,
  onFailure: (bug: Error) => void,
): Promise<WindowPainter> {
  const ink = await loadInk();
  const [{ WindowPainter }, views] = await Promise.all([import("./window-painter.tsx"), loadScreenViews()]);
  const onChange = (): void => presenter.requestFrame("key");
  return new WindowPainter({
    store,
    theme: () => themes.theme,
    transcript,
    drawing: { ink, views },
    clock: systemClock,
    onChange,
    onFailure,
  });
}

function createPointer(
  { presenter, output }: OpenWindowParts,
  store: Store,
  transcript: TranscriptView,
  painter: WindowPainter,
): Pointer {
  return new Pointer({
    clock: systemClock,
    write: (data) => output.write(data),
    changed: () => presenter.requestFrame("key"),
    copied: (words) => store.note("info", words),
    clicked(cell) {
      const place = painter.placeOf(cell);
      const state = store.get();
      if (place?.part === "transcript") transcript.foldAt(place.cell.y);
      else if (place) store.set({ composer: composerAt(state.composer, composerLook(state), place.cell) });
    },
  });
}

function farewell({ session, outgoing, composer }: AppState): string[] {
  const unsent = [...outgoing.map(({ text }) => text), messageOf(composer)].filter((text) => text.trim() !== "");
  return [
    ...unsent.map((text) => `Not sent: ${sanitise(text)}`),
    ...(session ? [`Session ${session.sessionId}. Continue with: harness -r ${session.sessionId}`] : []),
  ];
}

function tickWhileBusy(store: Store, tick: () => void): { stop(): void } {
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

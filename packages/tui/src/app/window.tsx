import { randomUUID } from "node:crypto";
import type { WindowRequest } from "@harness/client";
import type { EditedText } from "@harness/client/actions";
import { copyToTerminal } from "@harness/client/actions";
import type { PictureParts } from "../attachments/picture-controller.ts";
import { Attention } from "../attention/attention.ts";
import { serverConnector } from "../client/server-process.ts";
import { composerAt } from "../composer/composer-rows.ts";
import type { InlineScreen } from "../inline/inline-screen.ts";
import { Scrollback } from "../inline/scrollback.ts";
import type { InputEvent } from "../input/index.ts";
import { loadInk, type Presenter, type TerminalModes, type TerminalReplies } from "../render/index.ts";
import { DrawnPictures, type PicturePorts } from "../render/pictures/drawn-pictures.ts";
import { TranscriptView } from "../render/transcript/index.ts";
import { loadScreenViews } from "../screens/index.ts";
import { initialState } from "../state/app-state.ts";
import { systemClock } from "../state/clock.ts";
import { isBusy, secondsLeft } from "../state/selectors.ts";
import { createStore, type Store } from "../state/store.ts";
import { DrawingCode } from "../text/markdown/drawing-code.ts";
import { composerLook } from "./footer.ts";
import { farewell, lastScreens } from "./last-screens.ts";
import { Marking } from "./marking.ts";
import { Pointer } from "./pointer.ts";
import { copiesAtOnce, exitScreens, settingOf, settingsFollower } from "./settings-follower.ts";
import type { ThemeChoice } from "./theme-choice.ts";
import { createWindowController, type WindowController, type WindowControllerParts } from "./window-controller.ts";
import type { WindowPainter } from "./window-painter.tsx";

export type OpenWindowParts = {
  request: WindowRequest;
  env: Record<string, string | undefined>;
  presenter: Presenter;
  themes: ThemeChoice;
  modes: TerminalModes;
  terminal: {
    /** For what is no part of a frame. */
    output: { write(data: string): unknown };
    replies: TerminalReplies;
    /** Where the window is drawn that has no screen of its own. */
    inline: InlineScreen;
  };
};

export type OpenWindow = {
  take(event: InputEvent): void;
  resized(): void;
  /** The terminal was given to others, and is back. */
  resumed(): void;
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
  const { inline } = parts.terminal;
  const store = createStore(initialState({ cwd: request.cwd, version: request.version, size: inline.size }));
  if (inline.isEntered) store.dispatch({ type: "screenShown", screen: "chat" });
  const { promise: ended, resolve: end } = Promise.withResolvers<WindowEnding>();
  const code = new DrawingCode(() => presenter.requestFrame("stream"));
  const pictures: DrawnPictures = drawnPictures(parts, (box) => controller.pictures.draw(box));
  const makeView = () =>
    new TranscriptView({ code, root: request.cwd, keys: () => store.get().keymap.names, pictures });
  const transcript = makeView();
  let inKey = false;
  let painter: WindowPainter | undefined;
  const marking: Marking = new Marking({
    store,
    pointer: () => pointer,
    transcript,
    area: () => painter?.scrollArea ?? { top: 0, end: 0 },
  });
  const controller: WindowController = createWindowController({
    request,
    store,
    clock: systemClock,
    connect: serverConnector(request, env),
    newId: randomUUID,
    transcript,
    window: { ...ownParts(parts, () => attention, end), marking },
  });
  // The server starts while Ink is loaded: they use two processors.
  controller.start();
  const views = { transcript, scrollback: new Scrollback(makeView) };
  painter = await createPainter(parts, store, views, (bug) => end({ code: 1, bug }));
  const pointer: Pointer = createPointer(parts, store, { transcript, painter }, controller.showFile);
  const attention: Attention = createAttention(parts, store);
  const ticker = tickWhileBusy(store, painter, presenter);
  const resized = (): void => {
    const { columns, rows } = inline.size;
    painter.resize(columns, rows);
    store.set({ size: { columns, rows } });
  };
  const follow = settingsFollower(parts, store, { transcript, resized });
  store.subscribe(() => {
    follow();
    if (!inKey) presenter.requestFrame("stream");
  });
  presenter.start(() => marking.drawn(painter.draw(), painter.scrollArea));
  return {
    take(event) {
      inKey = true;
      attention.take(event);
      try {
        if (!takenByPointer(event, { pointer, marking, store })) controller.keyboard.take(event);
      } finally {
        inKey = false;
        presenter.requestFrame("key");
      }
    },
    resized,
    resumed() {
      presenter.repaint();
      attention.again();
    },
    repaint: () => painter.forget(),
    end,
    ended: ended.then(async (ending) => {
      ticker.stop();
      for (const part of [attention, painter, pictures]) part.close();
      // A server that does not end must not hold the terminal.
      await controller.close().catch(() => undefined);
      return ending;
    }),
    farewell: () => lastLines(store, transcript, inline),
  };
}

function lastLines(store: Store, transcript: TranscriptView, inline: InlineScreen): string[] {
  // An inline window has printed everything already.
  const screens = inline.isEntered ? [] : lastScreens(store.get(), { transcript, count: exitScreens(store) });
  return [...screens, ...farewell(store.get())];
}

/** What the window does by itself, for the controllers. */
function ownParts(
  parts: OpenWindowParts,
  attention: () => Attention,
  end: (ending: WindowEnding) => void,
): Omit<WindowControllerParts["window"], "marking"> {
  const { presenter, modes, terminal } = parts;
  return {
    clipboard: clipboardOf(parts),
    leave: (code) => end({ code }),
    suspend: () => modes.suspend(),
    redraw: () => presenter.repaint(),
    edit: (text) => editText(parts, attention(), text),
    copy: (text) => copyToTerminal(text, (data) => terminal.output.write(data)),
  };
}

/** The editor has the terminal; the window neither draws nor reads meanwhile. */
async function editText(
  { modes, presenter, env }: OpenWindowParts,
  attention: Attention,
  text: string,
): Promise<EditedText> {
  const { editInProgram } = await import("@harness/client/actions");
  presenter.pause();
  attention.pause();
  try {
    return await modes.lend(() => editInProgram(text, env));
  } finally {
    presenter.resume();
    attention.again();
  }
}

/** Asks and writes to the terminal beside the frames. */
function drawnPictures({ presenter, terminal }: OpenWindowParts, draw: PicturePorts["draw"]): DrawnPictures {
  const { output, replies, inline } = terminal;
  return new DrawnPictures({
    async graphics() {
      // What is printed once cannot be drawn into later.
      if (inline.isEntered) return undefined;
      return (await import("../render/pictures/graphics.ts")).askGraphics(replies);
    },
    draw,
    write: (data) => output.write(data),
    changed: () => presenter.requestFrame("stream"),
  });
}

function clipboardOf({ env, terminal: { replies } }: OpenWindowParts): PictureParts {
  return {
    isRemote: Boolean(env.SSH_TTY ?? env.SSH_CONNECTION),
    async readTerminalClipboard() {
      const { readTerminalImage } = await import("../render/terminal-clipboard.ts");
      return readTerminalImage(replies);
    },
  };
}

async function createPainter(
  { presenter, themes, terminal }: OpenWindowParts,
  store: Store,
  { transcript, scrollback }: { transcript: TranscriptView; scrollback: Scrollback },
  onFailure: (bug: Error) => void,
): Promise<WindowPainter> {
  const ink = await loadInk();
  const [{ WindowPainter }, views] = await Promise.all([import("./window-painter.tsx"), loadScreenViews()]);
  const onChange = (): void => presenter.requestFrame("key");
  return new WindowPainter({
    store,
    transcript,
    scrollback: () => (terminal.inline.isEntered ? scrollback : undefined),
    drawing: { ink, views, theme: () => themes.theme },
    clock: systemClock,
    onChange,
    onFailure,
  });
}

function createAttention({ terminal: { output }, env }: OpenWindowParts, store: Store): Attention {
  return new Attention({
    store,
    clock: systemClock,
    env,
    write: (data) => output.write(data),
    setting: (key) => settingOf(store, key),
  });
}

function createPointer(
  { presenter, terminal: { output } }: OpenWindowParts,
  store: Store,
  { transcript, painter }: { transcript: TranscriptView; painter: WindowPainter },
  showFile: (path: string) => void,
): Pointer {
  /** The row that says how much is below leads there, a file to its changes; else the item opens or folds. */
  const clickTranscript = (y: number): void => {
    const { top, end } = painter.scrollArea;
    const file = transcript.fileAt(y);
    if (transcript.position.below > 0 && y === end - top - 1) transcript.toEnd();
    else if (file !== undefined) showFile(file);
    else transcript.foldAt(y);
  };
  return new Pointer({
    clock: systemClock,
    write: (data) => output.write(data),
    changed: () => presenter.requestFrame("key"),
    copied: (words) => store.note("info", words),
    copiesAtOnce: () => copiesAtOnce(store),
    clicked(cell) {
      const place = painter.placeOf(cell);
      const state = store.get();
      if (place?.part === "transcript") clickTranscript(place.cell.y);
      else if (place) store.set({ composer: composerAt(state.composer, composerLook(state), place.cell) });
    },
  });
}

/** The mouse, and the key that copies what was selected with it. */
function takenByPointer(
  event: InputEvent,
  { pointer, marking, store }: { pointer: Pointer; marking: Marking; store: Store },
): boolean {
  if (event.type === "mouse") {
    marking.stop();
    pointer.take(event);
    return true;
  }
  if ((event.type !== "key" && event.type !== "paste") || marking.isOn) return false;
  const isCopy = event.type === "key" && event.ctrl && event.name === "c";
  const isCopied = isCopy && !copiesAtOnce(store) && pointer.copyMarked();
  pointer.clear();
  return isCopied;
}

function tickWhileBusy(store: Store, painter: WindowPainter, presenter: Presenter): { stop(): void } {
  const tick = (): void => {
    painter.tick += 1;
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

import { randomUUID } from "node:crypto";
import { FAR_BACKOFF_MS, farServerTexts, serverConnector } from "@harness/client";
import { Attention } from "../attention/attention.ts";
import { composerAt } from "../composer/composer-rows.ts";
import type { InlineScreen } from "../inline/inline-screen.ts";
import { Scrollback } from "../inline/scrollback.ts";
import type { InputEvent } from "../input/index.ts";
import { KeyLabels } from "../keymap/key-labels.ts";
import { MountedScopes } from "../keymap/mounted-scopes.ts";
import { loadOverlayViews } from "../overlays/index.ts";
import { type Frame, loadInk, type Resumption } from "../render/index.ts";
import type { DrawnPictures } from "../render/pictures/drawn-pictures.ts";
import { TranscriptView } from "../render/transcript/index.ts";
import { loadScreenViews } from "../screens/index.ts";
import { initialState } from "../state/app-state.ts";
import { systemClock } from "../state/clock.ts";
import { createStore, type Store } from "../state/store.ts";
import { DrawingCode } from "../text/markdown/drawing-code.ts";
import { LineFieldInput } from "../widgets/line-input.ts";
import type { WindowContextValue } from "../widgets/use-window.ts";
import { composerLook } from "../window/footer.ts";
import type { WindowPainter } from "../window/window-painter.tsx";
import { farewell, lastScreens } from "./last-screens.ts";
import { Pointer } from "./pointer.ts";
import { copiesAtOnce, exitScreens, frameLooks, settingOf, settingsFollower } from "./settings-follower.ts";
import { afterSuspension } from "./terminal/resumption.ts";
import { drawnPictures, type OpenWindowDeps, terminalPorts, type WindowEnding } from "./terminal/terminal-ports.ts";
import { TextMarker } from "./text-marker.ts";
import { tickWithTime } from "./ticker.ts";
import { createWindowController, type WindowController, type WindowControllerDeps } from "./window-controller.ts";

export type OpenWindow = {
  take(event: InputEvent): void;
  resized(): void;
  /** The terminal was given to others, and is back. */
  resumed(how: Resumption): void;
  /** Ends the window after a signal or a bug. */
  end(ending: WindowEnding): void;
  /** The exit code, or the bug that ended it; everything but the terminal is closed by then. */
  readonly ended: Promise<WindowEnding>;
  /** Lines for the normal screen: how to continue, and messages that were not sent. */
  farewell(): string[];
};

/** Shared by the painter, its components and the actions of the window. */
type PainterContext = Pick<WindowContextValue, "transcript" | "lines" | "scopes"> & { readonly scrollback: Scrollback };

/** Loads Ink, starts the server and takes over the screen from the first frame. */
export async function openWindow(deps: OpenWindowDeps): Promise<OpenWindow> {
  const { request, presenter, env } = deps;
  const { inline } = deps.terminal;
  const store = createStore(
    initialState({ cwd: request.cwd, version: request.version, size: inline.sizeFor({ asks: false }) }),
  );
  if (inline.isEntered) store.dispatch({ type: "screenShown", screen: "chat" });
  const { promise: ended, resolve: end } = Promise.withResolvers<WindowEnding>();
  const code: DrawingCode = new DrawingCode(() => store.set({ drawing: { code, generation: code.generation } }));
  store.set({ drawing: { code, generation: 0 } });
  const pictures: DrawnPictures = drawnPictures(deps, (box) => controller.pictures.draw(box));
  const views = windowParts(store, { code, root: request.cwd, pictures });
  const { transcript } = views;
  let inKey = false;
  let painter: WindowPainter | undefined;
  const marking: TextMarker = new TextMarker({
    store,
    pointer: () => pointer,
    transcript,
    area: () => painter?.scrollArea ?? { top: 0, end: 0 },
  });
  const lending = { lent: () => attention.pause(), back: () => takeBack(deps, controller, attention) };
  const controller: WindowController = createWindowController({
    request,
    store,
    clock: systemClock,
    server: serverOf(request, env),
    lines: views.lines,
    transcript,
    window: {
      ...terminalPorts(deps, store, lending, end),
      marking,
      mountedScopes: () => mountedScopes(painter, views),
    },
  });
  // The server starts while Ink is loaded: they use two processors.
  controller.start();
  painter = await createPainter(deps, store, views, (bug) => end({ code: 1, bug }));
  const pointer: Pointer = createPointer(deps, store, { transcript, painter }, controller);
  const attention: Attention = createAttention(deps, store);
  const ticker = createTicker(deps, store, painter);
  const resized = sizeFollower(deps, store, { painter, controller });
  const follow = settingsFollower(deps, store, { transcript, resized });
  store.subscribe(() => {
    follow();
    if (!inKey) presenter.requestFrame("stream");
  });
  // The terminal may have got another size meanwhile.
  resized();
  startFrames(deps, { painter, marking, controller, look: frameLooks(store) });
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
    resumed: afterSuspension(store, () => lending.back()),
    end,
    ended: ended.then(async (ending) => {
      ticker.stop();
      await closeAll([attention, painter, pictures], controller);
      return ending;
    }),
    farewell: () => lastLines(store, transcript, inline),
  };
}

/** How the window gets a server: a process of its own, or one elsewhere. */
function serverOf(request: OpenWindowDeps["request"], env: OpenWindowDeps["env"]): WindowControllerDeps["server"] {
  const { far } = request;
  if (!far) return { connect: serverConnector("window", request, env), newId: randomUUID };
  return { connect: far, backoffMs: FAR_BACKOFF_MS, texts: farServerTexts, attach: "never", newId: randomUUID };
}

/** Lays the window out for the terminal, again when that has another size. Inline, a dialog may take more rows. */
function sizeFollower(
  { terminal: { inline } }: OpenWindowDeps,
  store: Store,
  { painter, controller }: { painter: WindowPainter; controller: WindowController },
): () => void {
  let asks = false;
  const resized = (): void => {
    const { columns, rows } = inline.sizeFor({ asks });
    painter.resize(columns, rows);
    controller.hide();
    store.set({ size: { columns, rows } });
  };
  store.subscribe(() => {
    const wasAsking = asks;
    asks = store.get().dialogs.length > 0;
    if (inline.isEntered && asks !== wasAsking) resized();
  });
  return resized;
}

type DrawingDeps = Omit<ConstructorParameters<typeof TranscriptView>[0], "keys">;

function windowParts(store: Store, drawing: DrawingDeps): PainterContext {
  const lines = new LineFieldInput({ isVim: () => settingOf(store, "editor_mode") === "vim" });
  const makeView = () => new TranscriptView({ ...drawing, keys: () => store.get().keymap.names });
  // No key opens what the terminal keeps.
  const noKeys = new KeyLabels({ keysOf: () => [] });
  const scrollback = new Scrollback(() => new TranscriptView({ ...drawing, keys: () => noKeys }));
  return { transcript: makeView(), lines, scopes: new MountedScopes(), scrollback };
}

/** Keys come once there is a painter. */
function mountedScopes(painter: WindowPainter | undefined, { scopes }: PainterContext): readonly string[] {
  painter?.mount();
  return scopes.inOrder;
}

/** A question in a frame can be answered once the terminal has taken the frame. */
function startFrames(
  { presenter }: OpenWindowDeps,
  {
    painter,
    marking,
    controller,
    look,
  }: {
    painter: WindowPainter;
    marking: TextMarker;
    controller: WindowController;
    look: (frame: Frame) => Frame;
  },
): void {
  presenter.start(() => {
    const frame = marking.drawn(painter.draw(), painter.scrollArea);
    const { inView } = painter;
    return { ...look(frame), taken: () => controller.drawn(inView) };
  });
}

async function closeAll(parts: readonly { close(): void }[], controller: WindowController): Promise<void> {
  for (const part of parts) part.close();
  // A server that does not end must not hold the terminal.
  await controller.close().catch(() => undefined);
}

/** The terminal was given to others, and shows something else. */
function takeBack({ presenter }: OpenWindowDeps, controller: WindowController, attention: Attention): void {
  controller.hide();
  presenter.repaint();
  attention.again();
}

function lastLines(store: Store, transcript: TranscriptView, inline: InlineScreen): string[] {
  // An inline window has printed everything already.
  const screens = inline.isEntered ? [] : lastScreens(store.get(), { transcript, count: exitScreens(store) });
  return [...screens, ...farewell(store.get())];
}

async function createPainter(
  { presenter, themes, terminal }: OpenWindowDeps,
  store: Store,
  { scrollback, ...content }: PainterContext,
  onFailure: (bug: Error) => void,
): Promise<WindowPainter> {
  const ink = await loadInk();
  const [{ WindowPainter }, screens, overlays] = await Promise.all([
    import("../window/window-painter.tsx"),
    loadScreenViews(),
    loadOverlayViews(),
  ]);
  const onChange = (): void => presenter.requestFrame("key");
  return new WindowPainter({
    store,
    content: { ...content, scrollback: () => (terminal.inline.isEntered ? scrollback : undefined) },
    drawing: { ink, views: { screens, overlays }, theme: () => themes.theme },
    clock: systemClock,
    onChange,
    onFailure,
  });
}

function createTicker({ presenter }: OpenWindowDeps, store: Store, painter: WindowPainter): { stop(): void } {
  const spin = (): void => {
    if (settingOf(store, "animations") !== false) painter.tick += 1;
  };
  return tickWithTime({ store, spin, draw: () => presenter.requestFrame("stream") });
}

function createAttention({ terminal: { output }, env }: OpenWindowDeps, store: Store): Attention {
  return new Attention({
    store,
    clock: systemClock,
    env,
    write: (data) => output.write(data),
    setting: (key) => settingOf(store, key),
  });
}

function createPointer(
  { presenter, terminal: { output }, env }: OpenWindowDeps,
  store: Store,
  { transcript, painter }: { transcript: TranscriptView; painter: WindowPainter },
  controller: Pick<WindowController, "showFile" | "clickList">,
): Pointer {
  /** The row that says how much is below leads there, a file to its changes; else the item opens or folds. */
  const clickTranscript = (y: number): void => {
    const { top, end } = painter.scrollArea;
    const file = transcript.fileAt(y);
    if (transcript.position.below > 0 && y === end - top - 1) transcript.toEnd();
    else if (file !== undefined) controller.showFile(file);
    else transcript.foldAt(y);
  };
  return new Pointer({
    clock: systemClock,
    terminal: { write: (data) => output.write(data), env },
    changed: () => presenter.requestFrame("key"),
    copied: (words) => store.note("info", words),
    copiesAtOnce: () => copiesAtOnce(store),
    isControl: (cell) => painter.placeOf(cell)?.part === "list",
    clicked(cell) {
      const place = painter.placeOf(cell);
      const state = store.get();
      if (place?.part === "transcript") clickTranscript(place.cell.y);
      else if (place?.part === "list") controller.clickList(place.cell);
      else if (place) store.set({ composer: composerAt(state.composer, composerLook(state), place.cell) });
    },
  });
}

/** The mouse, and the key that copies what was selected with it. */
function takenByPointer(
  event: InputEvent,
  { pointer, marking, store }: { pointer: Pointer; marking: TextMarker; store: Store },
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

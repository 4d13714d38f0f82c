import type { ReactElement } from "react";
import { type Scrollback, withoutEnd } from "../inline/scrollback.ts";
import type { MountedScopes } from "../keymap/mounted-scopes.ts";
import { Canvas, type Painting } from "../render/canvas.ts";
import { chromeOf } from "../render/chrome.ts";
import { type Frame, InkBridge, type loadInk } from "../render/index.ts";
import type { CellPosition, ScrollArea } from "../render/screen-selection.ts";
import type { TranscriptView } from "../render/transcript/index.ts";
import type { AppState } from "../state/app-state.ts";
import { type ChromeView, chromeView, sameView } from "../state/chrome-view.ts";
import type { WindowClock } from "../state/clock.ts";
import type { Dialog } from "../state/dialogs.ts";
import { frontDialog } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import type { Row } from "../text/index.ts";
import type { Theme } from "../theme/theme.ts";
import { type FrameContent, FrameStore } from "../widgets/frame-content.ts";
import type { LineFieldInput } from "../widgets/line-input.ts";
import type { LeafName } from "../widgets/rows.tsx";
import { tooSmallFrame } from "./first-frame.ts";
import { Window, type WindowViews } from "./window-view.tsx";

type WindowPainterDeps = {
  store: Store;
  content: {
    transcript: TranscriptView;
    /** The part printed to the terminal, if the window is inline. */
    scrollback(): Scrollback | undefined;
    /** Passes keys to the field in view. */
    lines: LineFieldInput;
    scopes: MountedScopes;
  };
  clock: WindowClock;
  /** Ink and the components; both are loaded late. */
  drawing: { ink: Awaited<ReturnType<typeof loadInk>>; views: WindowViews; theme(): Theme };
  /** Ink drew by itself, so a frame is due. */
  onChange(): void;
  onFailure(error: Error): void;
};

/** A frame's question to the user, in full, and the size of that frame. */
export type ShownQuestion = Pick<AppState, "size" | "trust"> & { readonly dialog: Dialog | undefined };

const NOWHERE: ScrollArea = { top: 0, end: 0 };

/**
 * Turns the state into frames. Components say what is where, and Ink lays them out; their rows are painted into the
 * frame from caches. A frame in which only rows have changed touches neither React nor Ink.
 */
export class WindowPainter {
  readonly #deps: WindowPainterDeps;
  readonly #bridge: InkBridge;
  readonly #canvas = new Canvas();
  readonly #moments: FrameStore;
  readonly #tree: ReactElement;
  #view: ChromeView | undefined;
  #isMounted = false;
  #isDrawing = false;
  #inView: ShownQuestion | undefined;
  tick = 0;

  constructor(deps: WindowPainterDeps) {
    this.#deps = deps;
    const { drawing, store, content, onFailure, onChange } = deps;
    this.#bridge = new InkBridge(drawing.ink, {
      ...store.get().size,
      onFrame: (rows) => {
        this.#canvas.laidOut(chromeOf(rows));
        if (!this.#isDrawing) onChange();
      },
    });
    this.#moments = new FrameStore(this.#momentOf(store.get(), undefined));
    const { transcript, lines, scopes } = content;
    lines.connect((key) => this.#bridge.press(key));
    const shared = { moments: this.#moments, canvas: this.#canvas, transcript, lines, scopes };
    this.#tree = <Window parts={shared} {...drawing.views} onFailure={onFailure} />;
  }

  draw(): Frame {
    const state = this.#deps.store.get();
    const { size, trust } = state;
    const small = tooSmallFrame(size);
    this.#inView = { size, trust: small ? undefined : trust, dialog: undefined };
    if (small) return small;
    try {
      return this.#frame(state);
    } catch (error) {
      // As if a component had thrown: the window exits cleanly.
      this.#deps.onFailure(error instanceof Error ? error : new Error(String(error)));
      return { rows: [] };
    }
  }

  /**
   * Mounts the components for the current state. A key goes to what the previous key has opened, even if no frame was
   * drawn in between; if one was, there is nothing to do.
   */
  mount(): void {
    const state = this.#deps.store.get();
    if (tooSmallFrame(state.size)) return;
    if (this.#isMounted && !this.#moments.mountsOthers(state)) return;
    this.#layOut(this.#momentOf(state, this.#moments.now.unprinted));
  }

  #frame(state: AppState): Frame {
    const printed = hasTranscript(state) ? this.#deps.content.scrollback()?.update(state) : undefined;
    this.#layOut(this.#momentOf(state, printed?.own));
    const painted = this.#canvas.paint(state.size);
    const dialog = this.#canvas.placeOf("dialog" satisfies LeafName);
    // The beginning of a dialog says what is asked.
    if (dialog && dialog.y >= 0) this.#inView = { ...this.inView, dialog: frontDialog(state) };
    return printed ? { above: printed.above, ...this.#withoutGap(painted) } : painted;
  }

  /** The last frame's question to the user. */
  get inView(): ShownQuestion {
    return this.#inView ?? { size: this.#deps.store.get().size, trust: undefined, dialog: undefined };
  }

  /** The rows of the last frame that scroll. */
  get scrollArea(): ScrollArea {
    const place = this.#canvas.placeOf("transcript" satisfies LeafName);
    return place ? { top: place.y, end: place.y + place.rows } : NOWHERE;
  }

  /** The part of the window that a cell belongs to, and the cell within that part. */
  placeOf({ x, y }: CellPosition): { part: "transcript" | "input" | "list"; cell: CellPosition } | undefined {
    for (const part of ["transcript", "input", "list"] as const) {
      const place = this.#canvas.placeOf(part);
      if (!place || y < place.y || y >= place.y + place.rows) continue;
      if (part !== "list") return { part, cell: { x, y: y - place.y } };
      // The preview is beside it.
      if (x >= place.x && x < place.x + place.columns) return { part, cell: { x: x - place.x, y: y - place.y } };
    }
    return undefined;
  }

  resize(columns: number, rows: number): void {
    this.#bridge.resize(columns, rows);
  }

  close(): void {
    this.#bridge.close();
  }

  /** Redraws the components that would read something else now. */
  #layOut(moment: FrameContent): void {
    const isTyped = this.#deps.content.lines.settle();
    const isChanged = this.#moments.advance(moment) || isTyped;
    if (this.#isMounted && !isChanged) return;
    this.#isMounted = true;
    this.#isDrawing = true;
    try {
      this.#bridge.render(this.#tree);
    } finally {
      this.#isDrawing = false;
    }
  }

  #momentOf(state: AppState, unprinted: FrameContent["unprinted"]): FrameContent {
    const { clock, drawing } = this.#deps;
    const wallNowMs = clock.wallNow();
    const view = this.#viewOf(state, wallNowMs);
    return { state, view, nowMs: clock.now(), wallNowMs, tick: this.tick, theme: drawing.theme(), unprinted };
  }

  #viewOf(state: AppState, wallNowMs: number): ChromeView {
    const view = chromeView(state, wallNowMs);
    if (!this.#view || !sameView(this.#view, view)) this.#view = view;
    return this.#view;
  }

  /** Only as many rows as have content: finished entries belong to the terminal. */
  #withoutGap({ rows, cursor }: Painting): { rows: readonly Row[]; cursor: Painting["cursor"] } {
    const { top, end } = this.scrollArea;
    const above = withoutEnd(rows.slice(0, end));
    const kept = Math.max(top, above.length);
    const gap = end - kept;
    return {
      rows: [...rows.slice(0, kept), ...rows.slice(end)],
      cursor: cursor && { x: cursor.x, y: cursor.y >= end ? cursor.y - gap : cursor.y },
    };
  }
}

/** True if nothing covers the conversation. */
function hasTranscript({ screen, overlay, trust }: AppState): boolean {
  return screen === "chat" && !overlay && !trust;
}

import { type AgentState, ROOT_AGENT } from "@harness/protocol";
import { trustScreen } from "../dialogs/trust/trust-screen.ts";
import { elapsed } from "../figures/elapsed.ts";
import { type Scrollback, withoutEnd } from "../inline/scrollback.ts";
import { overlayRows } from "../overlays/overlay-rows.ts";
import { type Chrome, chromeOf, type Frame, InkBridge, type loadInk, stack } from "../render/index.ts";
import type { ScreenCell, ScrollArea } from "../render/screen-selection.ts";
import type { TranscriptState, TranscriptView } from "../render/transcript/index.ts";
import { agentHeader } from "../screens/chat/agent-header.ts";
import { agentStrip } from "../screens/chat/agent-strip.ts";
import { rowsAboveDialog } from "../screens/chat/chat-rows.ts";
import { inboxRows } from "../screens/chat/inbox-rows.ts";
import { processStrip } from "../screens/chat/process-strip.ts";
import { statusRow } from "../screens/chat/status-row.ts";
import { screenRow } from "../screens/index.ts";
import type { ScreenView } from "../screens/screen.ts";
import { latestDoing, shownAgent } from "../state/agents.ts";
import type { AppState } from "../state/app-state.ts";
import { type ChromeView, chromeView, sameView } from "../state/chrome-view.ts";
import type { Clock } from "../state/clock.ts";
import { frontDialog } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import { EMPTY_ROW, type Row, row, span, style } from "../text/index.ts";
import type { Theme } from "../theme/theme.ts";
import { tooSmallFrame } from "./first-frame.ts";
import { type Footer, footerOf, hudRowOf } from "./footer.ts";
import type { Asked } from "./window-controller.ts";
import { Window } from "./window-view.tsx";

const MUTED = style({ fg: "muted" });
const ACCENT = style({ fg: "accent" });
const NOTHING: TranscriptState = { items: [], output: new Map() };

export type WindowPainterParts = {
  store: Store;
  transcript: TranscriptView;
  /** What is handed over to the terminal, where the window is an inline one. */
  scrollback(): Scrollback | undefined;
  clock: Clock;
  /** Ink and the components of the screens, by name; both are loaded late. */
  drawing: { ink: Awaited<ReturnType<typeof loadInk>>; views: ReadonlyMap<string, ScreenView>; theme(): Theme };
  /** Ink drew by itself: a frame is due. */
  onChange(): void;
  onFailure(error: Error): void;
};

/** Makes frames of the state: rows of the transcript or of the screen's components, of what covers it, and the footer. */
export class WindowPainter {
  readonly #parts: WindowPainterParts;
  readonly #bridge: InkBridge;
  /** What Ink has laid out, in `#screenHeight` rows. */
  #screen: readonly Row[] = [];
  #screenHeight = 0;
  /** Overlay, dialogs and notes. */
  #painted: readonly Row[] = [];
  #chrome: Chrome = { rows: [] };
  #hud: Row = EMPTY_ROW;
  #view: ChromeView | undefined;
  #height = 0;
  #drawing = false;
  /** Rows of the last frame from its top: the transcript's, and the input's. */
  #places = { transcript: { top: 0, end: 0 }, input: { top: 0, end: 0 } };
  /** Rows of the chrome above the dialog: they may be cut. */
  #aboveDialog = 0;
  #inView: Asked | undefined;
  tick = 0;

  constructor(parts: WindowPainterParts) {
    this.#parts = parts;
    this.#bridge = new InkBridge(parts.drawing.ink, {
      ...parts.store.get().size,
      onFrame: (rows) => {
        this.#screen = rows;
        if (this.#drawing) return;
        this.#compose();
        parts.onChange();
      },
    });
  }

  draw(): Frame {
    const state = this.#parts.store.get();
    const { size, screen, overlay, trust } = state;
    const small = tooSmallFrame(size);
    this.#inView = { size, trust: small ? undefined : trust, dialog: undefined };
    if (small) return small;
    const footer = footerOf(state);
    const inputEnd = size.rows - (footer.hasHud ? 1 : 0);
    this.#places = {
      transcript: { top: 0, end: 0 },
      input: { top: inputEnd - footer.input.length, end: inputEnd },
    };
    this.#layOut(
      chromeView(state, this.#parts.clock.wallNow()),
      size.rows - footer.input.length - (footer.hasHud ? 1 : 0),
    );
    if (overlay || trust || screenRow(screen).view) return this.#withFooter([], footer);
    const live = footer.hasHud ? this.#live(state) : [];
    const chrome = this.#withFooter(live, footer);
    const cut = Math.max(0, chrome.rows.length - size.rows);
    if (cut <= live.length + this.#aboveDialog) this.#inView = { ...this.#inView, dialog: frontDialog(state) };
    const scrollback = this.#parts.scrollback();
    if (scrollback) return this.#inlineFrame(state, chrome, scrollback);
    return stack(size.rows, chrome, (height) => this.#body(state, height));
  }

  /** Only as many rows as there is to see: what is finished belongs to the terminal. */
  #inlineFrame(state: AppState, { rows, cursor }: Chrome, scrollback: Scrollback): Frame {
    const { above, own } = scrollback.update(state);
    const height = Math.max(0, state.size.rows - rows.length);
    const body = withoutEnd(this.#body(state, height, own));
    return { above, rows: [...body, ...rows], cursor: cursor && { x: cursor.x, y: cursor.y + body.length } };
  }

  /** What the last frame asked the person. */
  get inView(): Asked {
    return this.#inView ?? { size: this.#parts.store.get().size, trust: undefined, dialog: undefined };
  }

  /** The components are drawn anew with the next frame: their colours are others. */
  forget(): void {
    this.#view = undefined;
  }

  /** The rows of the last frame that scroll. */
  get scrollArea(): ScrollArea {
    return this.#places.transcript;
  }

  /** The part of the window that a cell belongs to, and the cell within that part. */
  placeOf({ x, y }: ScreenCell): { part: "transcript" | "input"; cell: ScreenCell } | undefined {
    const { transcript, input } = this.#places;
    if (y >= transcript.top && y < transcript.end) return { part: "transcript", cell: { x, y: y - transcript.top } };
    return y >= input.top && y < input.end ? { part: "input", cell: { x, y: y - input.top } } : undefined;
  }

  resize(columns: number, rows: number): void {
    this.#bridge.resize(columns, rows);
  }

  close(): void {
    this.#bridge.close();
  }

  /** Lays out what is above the footer, when it has changed. */
  #layOut(view: ChromeView, height: number): void {
    if (this.#view && this.#height === height && sameView(this.#view, view)) return;
    this.#view = view;
    this.#height = height;
    this.#hud = hudRowOf(view);
    const { overlay, trust } = view;
    const { aboveInput, view: hasComponents } = screenRow(view.screen);
    const cover = trust ? trustScreen(trust, view) : overlay && overlayRows(overlay, view);
    const painted = cover ?? aboveInput?.(view) ?? [];
    this.#aboveDialog = cover ? 0 : rowsAboveDialog(view).length;
    // Above a transcript there may be less room than rows; their end stays in view.
    this.#painted = hasComponents ? painted.slice(Math.max(0, painted.length - height)) : painted;
    this.#drawScreen(view, cover ? undefined : this.#parts.drawing.views.get(view.screen));
    this.#compose();
  }

  #drawScreen(view: ChromeView, screen: ScreenView | undefined): void {
    this.#screenHeight = screen ? this.#height - this.#painted.length : 0;
    if (!screen && this.#screen.length === 0) return;
    const { drawing, clock, onFailure } = this.#parts;
    const props = { view, theme: drawing.theme(), onFailure, nowMs: clock.wallNow(), height: this.#screenHeight };
    this.#drawing = true;
    try {
      this.#bridge.render(<Window {...props} screen={screen} />);
    } finally {
      this.#drawing = false;
    }
  }

  #compose(): void {
    // Ink omits a blank last row.
    const screen = Array.from({ length: this.#screenHeight }, (_, at) => this.#screen[at] ?? EMPTY_ROW);
    this.#chrome = chromeOf([...screen, ...this.#painted]);
  }

  /** The chrome between the status line and the footer. */
  #withFooter(status: readonly Row[], { input, cursor, hasHud }: Footer): Chrome {
    const above = [...status, ...this.#chrome.rows];
    const field = this.#chrome.cursor;
    const fieldCursor = field && { x: field.x, y: field.y + status.length };
    return {
      rows: [...above, ...input, ...(hasHud ? [this.#hud] : [])],
      cursor: fieldCursor ?? (cursor && { x: cursor.x, y: cursor.y + above.length }),
    };
  }

  /** What the agent in view does, and those beside it. */
  #live(state: AppState): Row[] {
    const { session, size, turnSinceMs, request, agentInView } = state;
    const { clock } = this.#parts;
    const keys = state.keymap.names;
    const agent = shownAgent(state);
    const isMain = agentInView === ROOT_AGENT;
    const moment = {
      sinceMs: isMain ? turnSinceMs : undefined,
      requestSinceMs: request?.sinceMs,
      nowMs: clock.now(),
      columns: size.columns,
      tick: this.tick,
      // What Escape does in a dialog, the dialog says.
      stops:
        state.dialogs.length > 0
          ? undefined
          : isMain
            ? keys.hint("anywhere.escape", "stops")
            : keys.hint("anywhere.interrupt", "stops it"),
    };
    const isBusy = isMain ? turnSinceMs !== undefined : agent?.run === "running";
    const status = isBusy ? (statusRow(session, agent, moment) ?? EMPTY_ROW) : undefined;
    // A dialog needs the rows.
    if (state.dialogs.length > 0) return status ? [status] : [];
    const beside = [agentStrip, processStrip].map((strip) => strip(state, clock.wallNow()));
    return [status, ...beside, ...inboxRows(agent, size.columns)].filter((each) => each !== undefined);
  }

  /** `own`: the main agent's entries that are not printed yet, where the window is an inline one. */
  #body(state: AppState, height: number, own?: AgentState["items"]): readonly Row[] {
    const { session, agentInView } = state;
    if (session && agentInView !== ROOT_AGENT && height > 1) {
      const header = agentHeader(state, session, this.#parts.clock.wallNow());
      return [header, ...this.#transcript(state, height - 1)];
    }
    return this.#transcript(state, height, own);
  }

  #transcript(state: AppState, height: number, own?: AgentState["items"]): readonly Row[] {
    const { transcript } = this.#parts;
    transcript.resize(state.size.columns, height);
    // The transcript ends where the chrome begins, which is `height` rows below the agent's header.
    const { agentInView, session } = state;
    const top = session && agentInView !== ROOT_AGENT ? 1 : 0;
    this.#places.transcript = { top, end: top + height };
    const shown = transcriptOf(state, this.#parts.clock.wallNow());
    transcript.show(own ? { ...shown, items: own } : shown);
    const rows = transcript.rows();
    const { below, fresh } = transcript.position;
    if (below > 0 && height > 1) {
      return [
        ...rows.slice(0, height - 1),
        row(
          span(` ↓ ${below} more ${below === 1 ? "row" : "rows"}`, ACCENT),
          span(`${fresh > 0 ? ` · ${fresh} new` : ""}`, ACCENT),
          span(
            state.keymap.names.say("transcript.scrollToEnd", (key) => `  ${key}`),
            MUTED,
          ),
        ),
      ];
    }
    return rows;
  }
}

/** The transcript of the agent in view; what its subagents do is asked for by those rows that are in view. */
function transcriptOf(state: AppState, nowMs: number): TranscriptState {
  const { session } = state;
  const agent = shownAgent(state);
  if (!session || !agent) return NOTHING;
  if (session.running.size === 0) return agent;
  const output: TranscriptState["output"] = {
    get: (id) =>
      agent.output.get(id) ?? (session.running.has(id) ? activity(session.agents.get(id), nowMs) : undefined),
    has: (id) => agent.output.has(id) || session.running.has(id),
  };
  return { ...agent, output };
}

function activity(agent: AgentState | undefined, nowMs: number): string | undefined {
  if (!agent) return undefined;
  const since = agent.startedAt === undefined ? "" : elapsed(nowMs - Date.parse(agent.startedAt));
  return [since, latestDoing(agent)].filter((each) => each !== "").join(" · ");
}

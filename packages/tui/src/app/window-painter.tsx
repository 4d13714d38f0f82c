import type { SessionState } from "@harness/protocol";
import type { KeyEvent } from "../input/index.ts";
import type { loadInk } from "../render/index.ts";
import { type Chrome, type Frame, InkBridge, stack } from "../render/index.ts";
import { elapsed, type TranscriptState, type TranscriptView } from "../render/transcript/index.ts";
import { statusRow } from "../screens/chat/status-row.ts";
import type { AppState } from "../state/app-state.ts";
import { type ChromeView, chromeView, sameView } from "../state/chrome-view.ts";
import type { Clock } from "../state/clock.ts";
import { latestDoing, rootAgent, runningAgents } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import { EMPTY_ROW, type Row, row, span, style } from "../text/index.ts";
import type { Theme } from "../theme.ts";
import { tooSmallFrame } from "./first-frame.ts";
import { type Footer, footerOf, hudRowOf } from "./footer.ts";
import type { ScreenViews } from "./screen-views.ts";
import { Window } from "./window-view.tsx";

const MUTED = style({ fg: "muted" });
const ACCENT = style({ fg: "accent" });
const NOTHING: TranscriptState = { items: [], output: new Map() };

export type WindowPainterParts = {
  store: Store;
  theme: Theme;
  transcript: TranscriptView;
  clock: Clock;
  /** Ink and what draws with it; both are loaded late. */
  drawing: { ink: Awaited<ReturnType<typeof loadInk>>; views: ScreenViews };
  /** Ink drew by itself (a text field moved its cursor): a frame is due. */
  onChange(): void;
  onFailure(error: Error): void;
};

/** Makes frames of the state. Ink lays out only what changed; the rows above and below it are painted directly. */
export class WindowPainter {
  readonly #parts: WindowPainterParts;
  readonly #bridge: InkBridge;
  #chrome: Chrome = { rows: [] };
  #hud: Row = EMPTY_ROW;
  #view: ChromeView | undefined;
  #drawing = false;
  tick = 0;

  constructor(parts: WindowPainterParts) {
    this.#parts = parts;
    this.#bridge = new InkBridge(parts.drawing.ink, {
      ...parts.store.get().size,
      onFrame: (chrome) => {
        this.#chrome = chrome;
        if (!this.#drawing) parts.onChange();
      },
    });
  }

  draw(): Frame {
    const state = this.#parts.store.get();
    const { size, screen, overlay, trust } = state;
    const small = tooSmallFrame(size);
    if (small) return small;
    const footer = footerOf(state);
    const footerRows = footer.input.length + (footer.hasHud ? 1 : 0);
    this.#layOut(chromeView(state, footerRows, this.#parts.clock.wallNow()));
    if (screen !== "chat" || overlay || trust) return this.#withFooter([], footer, size.rows - footerRows);
    const status = footer.hasHud && state.turnSinceMs !== undefined ? [this.#status(state)] : [];
    return stack(size.rows, this.#withFooter(status, footer), (height) => this.#body(state, height));
  }

  resize(columns: number, rows: number): void {
    this.#bridge.resize(columns, rows);
  }

  type(key: KeyEvent): void {
    this.#bridge.send(key);
    // The next key in the same tick must find the field as this one left it.
    this.draw();
  }

  close(): void {
    this.#bridge.close();
  }

  /** Lets Ink draw when its view has changed. */
  #layOut(view: ChromeView): void {
    if (this.#view && sameView(this.#view, view)) return;
    this.#view = view;
    this.#hud = hudRowOf(view);
    const { store, theme, clock, drawing, onFailure } = this.#parts;
    const props = { view, store, theme, onFailure, nowMs: clock.wallNow() };
    this.#drawing = true;
    try {
      this.#bridge.render(<Window {...props} screen={drawing.views.get(view.screen)} />);
    } finally {
      this.#drawing = false;
    }
  }

  /** The chrome from Ink, in at least `height` rows, between the status line and the footer. */
  #withFooter(status: readonly Row[], { input, cursor, hasHud }: Footer, height = 0): Chrome {
    const above = [...status, ...this.#chrome.rows];
    // Ink omits a blank last row.
    while (above.length < height) above.push(EMPTY_ROW);
    const field = this.#chrome.cursor;
    const fieldCursor = field && { x: field.x, y: field.y + status.length };
    return {
      rows: [...above, ...input, ...(hasHud ? [this.#hud] : [])],
      cursor: fieldCursor ?? (cursor && { x: cursor.x, y: cursor.y + above.length }),
    };
  }

  #status({ session, size, turnSinceMs, request }: AppState): Row {
    const moment = { sinceMs: turnSinceMs, requestSinceMs: request?.sinceMs, nowMs: this.#parts.clock.now() };
    return statusRow(session, { ...moment, columns: size.columns, tick: this.tick }) ?? EMPTY_ROW;
  }

  #body({ session, size }: AppState, height: number): readonly Row[] {
    const { transcript } = this.#parts;
    transcript.resize(size.columns, height);
    transcript.show(transcriptOf(session, this.#parts.clock.wallNow()));
    transcript.tick(this.tick);
    const rows = transcript.rows();
    const { below } = transcript.position;
    if (below > 0 && height > 1) {
      return [
        ...rows.slice(0, height - 1),
        row(span(` ↓ ${below} more ${below === 1 ? "row" : "rows"}`, ACCENT), span("  Ctrl+End", MUTED)),
      ];
    }
    return rows;
  }
}

/** The root agent's transcript, with the current activity of its subagents. */
function transcriptOf(session: SessionState | undefined, nowMs: number): TranscriptState {
  const root = rootAgent(session);
  if (!session || !root) return NOTHING;
  const running = runningAgents(session);
  if (running.length === 0) return root;
  const output = new Map(root.output);
  for (const agent of running) {
    const at = root.positions.get(agent.agentId);
    const startedAt = at === undefined ? undefined : root.items[at]?.at;
    const since = startedAt ? elapsed(nowMs - Date.parse(startedAt)) : "";
    output.set(agent.agentId, [since, latestDoing(agent)].filter(Boolean).join(" · "));
  }
  return { items: root.items, ...(root.live ? { live: root.live } : {}), output };
}

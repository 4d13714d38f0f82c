import { ROOT_AGENT, type TranscriptItem } from "@harness/protocol";
import { joinableFrom, type TranscriptView } from "../render/transcript/index.ts";
import type { AppState } from "../state/app-state.ts";
import { isBusy } from "../state/selectors.ts";
import { EMPTY_ROW, type Row, row, sanitiseLine, span, style } from "../text/index.ts";

const MUTED = style({ fg: "muted" });
/** The most recent entries of a newly opened session to print. */
const MAX_REPLAYED = 60;
/** The most rows to print at once; earlier ones are omitted. */
const MAX_ROWS = 2_000;

/**
 * The entries that an inline window prints to the terminal: the final ones of the main agent's transcript, each once
 * and in order. The window draws the rest itself.
 */
export class Scrollback {
  readonly #makeView: () => TranscriptView;
  #sessionId: string | undefined;
  #printed = 0;
  #items: readonly TranscriptItem[] = [];
  #own: TranscriptItem[] = [];
  /** The header comes before everything else. */
  #isBegun = false;

  constructor(makeView: () => TranscriptView) {
    this.#makeView = makeView;
  }

  /** New finished rows, and the entries that may still change. */
  update(state: AppState): { above: readonly Row[]; own: TranscriptItem[] } {
    // The terminal keeps what is printed: the rest of the session would come too late.
    if (state.reading?.why === "loading") return { above: this.#begin(state), own: [] };
    const items = itemsOf(state);
    const above = [...this.#begin(state), ...this.#change(state, items), ...this.#finished(state, items)];
    // The array stays the same while entries only change or join, which identifies a transcript.
    if (above.length > 0 || items !== this.#items) this.#own = [];
    this.#items = items;
    this.#own.length = 0;
    this.#own.push(...items.slice(this.#printed));
    return { above, own: this.#own };
  }

  #begin(state: AppState): Row[] {
    if (this.#isBegun) return [];
    this.#isBegun = true;
    return [header(state), EMPTY_ROW];
  }

  /** A different session, or one that was rewound to before something printed. */
  #change({ session, title }: AppState, items: readonly TranscriptItem[]): Row[] {
    const before = this.#sessionId;
    this.#sessionId = session?.sessionId;
    if (before === this.#sessionId) {
      if (this.#printed <= items.length) return [];
      this.#printed = items.length;
      return [divider("Rewound: what follows takes the place of the end above."), EMPTY_ROW];
    }
    this.#printed = Math.max(0, items.length - MAX_REPLAYED);
    if (!session) return [divider("A new session begins."), EMPTY_ROW];
    const more = this.#printed;
    const rest = more > 0 ? [muted(`… ${more} earlier entries: harness session show ${session.sessionId}`)] : [];
    if (before === undefined && items.length === 0) return [];
    return [divider(title ?? session.sessionId), ...rest, EMPTY_ROW];
  }

  #finished(state: AppState, items: readonly TranscriptItem[]): Row[] {
    const end = finishedCount(state, items);
    if (end <= this.#printed) return [];
    const rows = this.#rowsOf(items.slice(this.#printed, end), state.size.columns);
    this.#printed = end;
    return rows;
  }

  #rowsOf(items: TranscriptItem[], columns: number): Row[] {
    const view = this.#makeView();
    view.resize(columns, MAX_ROWS);
    view.show({ items, output: new Map() });
    const rows = withoutEnd(view.rows());
    return rows.length > 0 ? [...rows, EMPTY_ROW] : [];
  }
}

/** Rows without trailing empty ones. */
export function withoutEnd(rows: readonly Row[]): Row[] {
  return rows.slice(0, rows.findLastIndex((each) => each !== EMPTY_ROW) + 1);
}

function itemsOf({ session }: AppState): TranscriptItem[] {
  return session?.agents.get(ROOT_AGENT)?.items ?? NO_ITEMS;
}

const NO_ITEMS: TranscriptItem[] = [];

/**
 * The number of final entries: all before a running call, and calls that only read once no other call can join them.
 */
function finishedCount(state: AppState, items: readonly TranscriptItem[]): number {
  const open = items.findIndex((item) => item.kind === "tool" && !item.outcome);
  const closed = open < 0 ? items.length : open;
  return isBusy(state) ? joinableFrom(items, closed) : closed;
}

function header({ version, cwd }: AppState): Row {
  return row(span(` harness ${version}  ${sanitiseLine(cwd)}`, MUTED));
}

function divider(text: string): Row {
  return muted(`── ${sanitiseLine(text)} ──`);
}

function muted(text: string): Row {
  return row(span(text, MUTED));
}

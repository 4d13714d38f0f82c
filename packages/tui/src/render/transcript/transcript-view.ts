import type { AgentState, TranscriptItem } from "@harness/protocol";
import type { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { NO_ROWS, type Rows } from "../../text/rows.ts";
import { EMPTY_ROW, type Row } from "../../text/style.ts";
import { isSilent, LiveMessage } from "./agent-rows.ts";
import { Folding } from "./folding.ts";
import { HeightIndex } from "./height-index.ts";
import { isAnimated, isFoldable } from "./item-rows.ts";
import { RowCache } from "./row-cache.ts";

/** The parts of an agent that are shown. They may change in place; call `show` again then. */
export type TranscriptState = Pick<AgentState, "items" | "live" | "early"> & {
  /** Output of running calls; what running subagents do, by their ids. */
  output: Pick<ReadonlyMap<string, string>, "get" | "has">;
};

export type TranscriptViewOptions = {
  code: DrawingCode;
  /** Called for each item that is wrapped, for tests and benchmarks. */
  onDraw?: (item: TranscriptItem) => void;
};

/** The first visible row: a row of an item. */
type Anchor = { index: number; offset: number };

/** Assumed rows of an item that was not measured yet. */
const GUESS = 4;

/** See the contract in `index.ts`. */
export class TranscriptView {
  readonly #cache: RowCache;
  readonly #folding = new Folding();
  #thinkingOpen = false;
  readonly #heights = new HeightIndex();
  readonly #code: DrawingCode;
  #state: TranscriptState = { items: [], output: new Map() };
  #live: LiveMessage | undefined;
  /** Items that were taken in. */
  #known = 0;
  #width = 80;
  #height = 24;
  #tick = 0;
  /** Where other transcripts were left. */
  readonly #places = new WeakMap<TranscriptState["items"], { anchor: Anchor | undefined; known: number }>();
  /** Undefined while the end is followed. */
  #anchor: Anchor | undefined;
  #top: Anchor = { index: 0, offset: 0 };
  #shown = 0;
  #animated = false;

  constructor({ code, onDraw }: TranscriptViewOptions) {
    this.#cache = new RowCache(onDraw);
    this.#code = code;
  }

  show(state: TranscriptState): void {
    if (state.items !== this.#state.items) this.#turnTo(state.items);
    this.#state = state;
    this.#takeIn();
  }

  resize(width: number, height: number): void {
    this.#width = Math.max(1, width);
    this.#height = Math.max(0, height);
  }

  tick(phase: number): void {
    this.#tick = phase;
  }

  /** Whether what was visible in the last `rows` moves by itself. */
  get animated(): boolean {
    return this.#animated;
  }

  get position(): { following: boolean; above: number; below: number } {
    const above = this.#heights.before(this.#top.index) + this.#top.offset;
    const below = Math.max(0, this.#heights.total - above - this.#shown);
    return { following: this.#anchor === undefined, above, below: this.#anchor ? below : 0 };
  }

  /** The visible rows, always as many as the height; above all others the oldest. */
  rows(): Row[] {
    this.#takeIn();
    this.#animated = false;
    if (this.#anchor) {
      this.#anchor = this.#settle(this.#anchor);
      const rows = this.#collect(this.#anchor);
      // After folding or wrapping again there may be less than a screen below.
      if (rows.length === this.#height) return rows;
      this.#anchor = undefined;
    }
    const rows = this.#collect(this.#lastScreen());
    while (rows.length < this.#height) rows.push(EMPTY_ROW);
    return rows;
  }

  #collect(top: Anchor): Row[] {
    this.#top = top;
    const rows: Row[] = [];
    let { offset } = top;
    for (let index = top.index; index < this.#count() && rows.length < this.#height; index++) {
      const own = this.#measure(index);
      const gap = this.#gap(index, own);
      for (let at = offset; at < own.height + gap && rows.length < this.#height; at++) {
        rows.push(at < gap ? EMPTY_ROW : (own.row(at - gap) ?? EMPTY_ROW));
      }
      offset = 0;
    }
    this.#shown = rows.length;
    return rows;
  }

  scrollBy(count: number): void {
    const from = this.#anchor ?? this.#lastScreen();
    const to = this.#walk(from, count);
    const last = this.#lastScreen();
    const atEnd = to.index > last.index || (to.index === last.index && to.offset >= last.offset);
    this.#anchor = atEnd ? undefined : to;
  }

  page(direction: -1 | 1): void {
    this.scrollBy(direction * Math.max(1, this.#height - 2));
  }

  toStart(): void {
    this.#anchor = { index: 0, offset: 0 };
    this.scrollBy(0);
  }

  toEnd(): void {
    this.#anchor = undefined;
  }

  /** Whether thinking is unfolded by default. */
  showThinking(open: boolean): void {
    this.#thinkingOpen = open;
  }

  foldAll(): void {
    this.#folding.toggleAll();
  }

  /** Opens or folds the newest item in sight that can be folded. */
  foldNewest(): void {
    let last = this.#top.index;
    for (let rows = -this.#top.offset; last < this.#count() && rows < this.#height; last++)
      rows += this.#heights.at(last);
    const { items, live } = this.#state;
    if (live?.thinking && last > items.length) {
      this.#folding.toggle(live.messageId);
      return;
    }
    const found = items.slice(this.#top.index, last).findLast(isFoldable);
    if (found) this.#folding.toggle(found.id);
  }

  /** Opens or folds the item in this visible row. */
  foldAt(y: number): void {
    let index = this.#top.index;
    for (let below = y + this.#top.offset; index < this.#count() && below >= this.#heights.at(index); index++)
      below -= this.#heights.at(index);
    const { items, live } = this.#state;
    const item = items[index];
    if (item && isFoldable(item)) this.#folding.toggle(item.id);
    else if (index === items.length && live?.thinking) this.#folding.toggle(live.messageId);
  }

  /** Another transcript; one that was in view before is where it was left. */
  #turnTo(items: TranscriptState["items"]): void {
    this.#places.set(this.#state.items, { anchor: this.#anchor, known: this.#known });
    const place = this.#places.get(items);
    this.#restart();
    this.#anchor = place?.anchor;
    this.#known = place?.known ?? 0;
  }

  #restart(): void {
    this.#heights.truncate(0);
    this.#known = 0;
    this.#cache.clear();
    this.#live = undefined;
    this.#anchor = undefined;
    this.#top = { index: 0, offset: 0 };
    this.#state = { items: [], output: new Map() };
  }

  #count(): number {
    return this.#state.items.length + (this.#state.live ? 1 : 0);
  }

  /** Notices what was added since last time; the state may have changed in place. */
  #takeIn(): void {
    const { items, live } = this.#state;
    if (live && live.messageId !== this.#live?.messageId) this.#live = new LiveMessage(live.messageId, this.#code);
    // The message takes the place of its streamed reply, and keeps its height until it is measured.
    this.#heights.truncate(this.#count());
    while (this.#heights.length < this.#count()) this.#heights.push(GUESS);
    this.#known = Math.min(this.#known, items.length);
    for (; this.#known < items.length; this.#known++) {
      const item = items[this.#known];
      if (item?.kind === "user" && item.origin === "user") this.#anchor = undefined;
    }
  }

  #rowsOf(index: number): Rows {
    const { items, live, early, output } = this.#state;
    const item = items[index];
    if (!item) {
      if (!live || !this.#live) return NO_ROWS;
      this.#animated = true;
      const open = this.#folding.isOpen(live.messageId, { usually: this.#thinkingOpen });
      return this.#live.rows({ ...live, early }, { width: this.#width, open, tick: this.#tick });
    }
    if (isAnimated(item)) this.#animated = true;
    const streamed = this.#live?.messageId === item.id ? this.#live.document : undefined;
    // A subagent's transcript begins with its task, which is to be read.
    const isTask = index === 0 && item.kind === "user" && item.origin === "subagent";
    const usually = isTask || (this.#thinkingOpen && item.kind === "agent");
    const open = this.#folding.isOpen(item.id, { usually });
    return this.#cache.rowsOf(item, { width: this.#width, open, code: this.#code, tick: this.#tick, output, streamed });
  }

  /** Rows of an item; its height, with the gap above it, is known afterwards. */
  #measure(index: number): Rows {
    const rows = this.#rowsOf(index);
    this.#heights.set(index, rows.height + this.#gap(index, rows));
    return rows;
  }

  /** An empty row between items, except between calls without output and between repairs. */
  #gap(index: number, rows: Rows): 0 | 1 {
    if (rows.height === 0) return 0;
    let before = index - 1;
    while (before >= 0 && this.#isSilentAt(before)) before -= 1;
    if (before < 0) return 0;
    const { items, output } = this.#state;
    const [above, item] = [items[before], items[index]];
    const isLine = above?.kind === "repair" || (above?.kind === "tool" && !above.outcome && !output.has(above.id));
    return isLine && (item?.kind === "tool" || item?.kind === "repair") ? 0 : 1;
  }

  #isSilentAt(index: number): boolean {
    const item = this.#state.items[index];
    return item !== undefined && isSilent(item);
  }

  /** A place with its item measured: wrapped again it may have fewer rows. */
  #settle({ index, offset }: Anchor): Anchor {
    const last = Math.max(0, Math.min(index, this.#count() - 1));
    this.#measure(last);
    return { index: last, offset: Math.max(0, Math.min(offset, this.#heights.at(last) - 1)) };
  }

  /** Where the screen begins when its last row is the last row of all. */
  #lastScreen(): Anchor {
    let missing = this.#height;
    for (let index = this.#count() - 1; index >= 0; index--) {
      this.#measure(index);
      const own = this.#heights.at(index);
      if (own >= missing) return { index, offset: own - missing };
      missing -= own;
    }
    return { index: 0, offset: 0 };
  }

  /** The place `count` rows further down (up if negative), measuring the items between. */
  #walk(from: Anchor, count: number): Anchor {
    let { index, offset } = this.#settle(from);
    offset += count;
    while (offset < 0 && index > 0) {
      index -= 1;
      this.#measure(index);
      offset += this.#heights.at(index);
    }
    while (offset >= this.#heights.at(index) && index + 1 < this.#count()) {
      offset -= this.#heights.at(index);
      index += 1;
      this.#measure(index);
    }
    return { index, offset: Math.max(0, offset) };
  }
}

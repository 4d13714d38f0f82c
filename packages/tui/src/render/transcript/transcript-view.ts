import type { TranscriptItem } from "@harness/protocol";
import type { VirtualRows } from "../../text/rows.ts";
import { EMPTY_ROW, type Row, textOfRow } from "../../text/style.ts";
import { HeightIndex } from "./height-index.ts";
import { ItemDrawing, type ItemDrawingOptions } from "./item-drawing.ts";
import { gapAbove } from "./item-gap.ts";
import { SearchMarks } from "./search-marks.ts";
import type { TranscriptState } from "./transcript-state.ts";
import { fileOfRow } from "./turn-rows.ts";

/** The first visible row: a row of an item. */
type Anchor = { index: number; offset: number };

type ViewPosition = { anchor: Anchor | undefined; known: number; leftAt: number };

/** Assumed height of an item that has not been measured yet. */
const GUESS = 4;

/** True for a user's message or command: the user wants to see the result. */
function isOfPerson(item: TranscriptItem | undefined): boolean {
  return (item?.kind === "user" && item.origin === "user") || (item?.kind === "tool" && item.byPerson === true);
}

/** See the contract in `index.ts`. */
export class TranscriptView {
  readonly #drawing: ItemDrawing;
  readonly #heights = new HeightIndex();
  #state: TranscriptState = { items: [], output: new Map() };
  /** How many items have been taken in. */
  #known = 0;
  /** How many there were when the end was last in view. */
  #leftAt = 0;
  #height = 24;
  /** The positions other transcripts were left at. */
  readonly #places = new WeakMap<TranscriptState["items"], ViewPosition>();
  /** Undefined while the end is followed. */
  #anchor: Anchor | undefined;
  #top: Anchor = { index: 0, offset: 0 };
  #shown = 0;
  #marks: SearchMarks | undefined;
  #onceShown: { readonly items: readonly TranscriptItem[]; readonly act: () => void } | undefined;

  constructor(options: ItemDrawingOptions) {
    this.#drawing = new ItemDrawing(options);
  }

  show(state: TranscriptState): void {
    if (state.items !== this.#state.items) this.#turnTo(state);
    this.#state = state;
    this.#takeIn();
    if (this.#onceShown?.items !== state.items) return;
    const { act } = this.#onceShown;
    this.#onceShown = undefined;
    act();
  }

  /** Does something once this transcript is shown and has its size, as it is in the next frame. */
  onceShown(items: readonly TranscriptItem[], act: () => void): void {
    this.#onceShown = { items, act };
  }

  resize(width: number, height: number): void {
    this.#drawing.width = Math.max(1, width);
    this.#height = Math.max(0, height);
  }

  /** `fresh`: items added since the end was left. */
  get position(): { following: boolean; above: number; below: number; fresh: number } {
    const above = this.#heights.before(this.#top.index) + this.#top.offset;
    const below = Math.max(0, this.#heights.total - above - this.#shown);
    const fresh = this.#anchor ? Math.max(0, this.#state.items.length - this.#leftAt) : 0;
    return { following: this.#anchor === undefined, above, below: this.#anchor ? below : 0, fresh };
  }

  /** Marks the places of a text (in lower case); `current`: the row of the current match. */
  mark(wanted: string, current?: Row): void {
    this.#marks = wanted === "" ? undefined : new SearchMarks(wanted, current);
  }

  /**
   * Scrolls to the row of an item that `find` returns, and opens the item if the row is folded away; an item opened
   * that way before is folded again. Returns the row.
   */
  reveal(index: number, find: (rows: VirtualRows) => number | undefined): Row | undefined {
    const item = this.#state.items[index];
    if (!item) return undefined;
    const at = this.#drawing.open(index, find);
    const rows = this.#measure(index);
    this.#anchor = { index, offset: this.#gap(index, rows) + (at ?? 0) };
    this.scrollBy(-Math.floor(this.#height / 3));
    return rows.row(at ?? 0);
  }

  /** The visible rows, always as many as the height. */
  rows(): Row[] {
    const rows = this.#visible();
    return this.#marks ? this.#marks.drawn(rows) : rows;
  }

  #visible(): Row[] {
    this.#takeIn();
    if (this.#anchor) {
      this.#anchor = this.#settle(this.#anchor);
      const rows = this.#collect(this.#anchor);
      // After folding or rewrapping there may be less than a screen below.
      if (rows.length === this.#height) return rows;
      this.#anchor = undefined;
    }
    this.#leftAt = this.#state.items.length;
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

  /** Sets whether thinking is unfolded by default. */
  showThinking(open: boolean): void {
    this.#drawing.thinkingOpen = open;
  }

  foldAll(): void {
    this.#drawing.foldAll();
  }

  /** Opens or folds the newest item in view that can be folded. */
  foldNewest(): void {
    let last = this.#top.index;
    for (let rows = -this.#top.offset; last < this.#count() && rows < this.#height; last++)
      rows += this.#heights.at(last);
    for (let index = last - 1; index >= this.#top.index; index--) if (this.#drawing.fold(index, 0)) return;
  }

  /** Opens or folds the item in this visible row. */
  foldAt(y: number): void {
    const { index, row } = this.#placeAt(y);
    this.#drawing.fold(index, row);
  }

  /** The changed file this visible row names. */
  fileAt(y: number): string | undefined {
    const { index, row } = this.#placeAt(y);
    const item = this.#state.items[index];
    const shown = item?.kind === "turn" ? this.#drawing.rowsOf(index).row(row) : undefined;
    return item?.kind === "turn" && shown ? fileOfRow(item, textOfRow(shown)) : undefined;
  }

  #placeAt(y: number): { index: number; row: number } {
    let index = this.#top.index;
    let below = y + this.#top.offset;
    for (; index < this.#count() && below >= this.#heights.at(index); index++) below -= this.#heights.at(index);
    return { index, row: below - this.#gap(index, this.#drawing.rowsOf(index)) };
  }

  /** Turns to another transcript; one that was in view before is shown where it was left. */
  #turnTo(next: TranscriptState): void {
    const { items } = this.#state;
    this.#places.set(items, { anchor: this.#anchor, known: this.#known, leftAt: this.#leftAt });
    const place = this.#places.get(next.items) ?? this.#sameIn(next);
    this.#restart();
    this.#anchor = place?.anchor;
    this.#known = place?.known ?? 0;
    this.#leftAt = place?.leftAt ?? 0;
  }

  /** The place in view, where it is in the same transcript with more above it. */
  #sameIn({ items, owner }: TranscriptState): ViewPosition | undefined {
    if (owner === undefined || owner !== this.#state.owner || !this.#anchor) return undefined;
    const id = this.#state.items[this.#anchor.index]?.id;
    const index = items.findLastIndex((item) => item.id === id);
    if (index < 0) return undefined;
    const leftAt = items.length - this.#state.items.length + this.#leftAt;
    return { anchor: { index, offset: this.#anchor.offset }, known: items.length, leftAt };
  }

  #restart(): void {
    this.#heights.truncate(0);
    this.#known = 0;
    this.#drawing.clear();
    this.#anchor = undefined;
    this.#top = { index: 0, offset: 0 };
    this.#state = { items: [], output: new Map() };
  }

  #count(): number {
    return this.#state.items.length + (this.#state.live ? 1 : 0);
  }

  /** Notices what was added since last time; the state may have changed in place. */
  #takeIn(): void {
    const { items } = this.#state;
    this.#drawing.take(this.#state);
    // The message replaces its streamed reply, and keeps its height until it is measured.
    this.#heights.truncate(this.#count());
    while (this.#heights.length < this.#count()) this.#heights.push(GUESS);
    this.#known = Math.min(this.#known, items.length);
    for (; this.#known < items.length; this.#known++) {
      if (isOfPerson(items[this.#known])) this.#anchor = undefined;
    }
  }

  /** Rows of an item; its height, including the gap above it, is known afterwards. */
  #measure(index: number): VirtualRows {
    const rows = this.#drawing.rowsOf(index);
    this.#heights.set(index, rows.height + this.#gap(index, rows));
    return rows;
  }

  #gap(index: number, rows: VirtualRows): 0 | 1 {
    return rows.height === 0 ? 0 : gapAbove(index, this.#state, (at) => this.#drawing.isUnseen(at));
  }

  /** A position whose item has been measured: rewrapped it may have fewer rows. */
  #settle({ index, offset }: Anchor): Anchor {
    const last = Math.max(0, Math.min(index, this.#count() - 1));
    this.#measure(last);
    return { index: last, offset: Math.max(0, Math.min(offset, this.#heights.at(last) - 1)) };
  }

  /** Where the screen begins if its last row is the very last row. */
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

  /** The position `count` rows further down (up if negative), measuring the items between. */
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

import type { TranscriptItem } from "@harness/protocol";
import type { KeyLabels } from "../../keymap/key-labels.ts";
import type { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { NO_ROWS, stackRows, type VirtualRows } from "../../text/rows.ts";
import type { DrawnPictures } from "../pictures/drawn-pictures.ts";
import { LiveMessage } from "./agent-rows.ts";
import { Folding } from "./folding.ts";
import { isFoldable, isUnseen } from "./item-rows.ts";
import { type LookGroup, LookGroups } from "./look-groups.ts";
import { RowCache } from "./row-cache.ts";
import type { TranscriptState } from "./transcript-state.ts";

export type ItemDrawingOptions = {
  code: DrawingCode;
  /** The folder that paths are shown relative to. */
  root: string;
  /** The current names of the keys. */
  keys: () => KeyLabels;
  /** Absent: images are shown as a line. */
  pictures?: DrawnPictures;
  /** Called for each item that is wrapped, for tests and benchmarks. */
  onDraw?: (item: TranscriptItem) => void;
};

/**
 * Rows of a transcript's items one by one, taking folding and grouping into account, followed by the reply being
 * streamed.
 */
export class ItemDrawing {
  readonly #cache: RowCache;
  readonly #code: DrawingCode;
  readonly #root: string;
  readonly #keys: () => KeyLabels;
  readonly #pictures: DrawnPictures | undefined;
  readonly #folding = new Folding();
  readonly #groups = new LookGroups();
  #live: LiveMessage | undefined;
  #state: TranscriptState = { items: [], output: new Map() };
  /** True if thinking is unfolded by default. */
  thinkingOpen = false;
  width = 80;

  constructor({ code, root, keys, pictures, onDraw }: ItemDrawingOptions) {
    this.#cache = new RowCache(onDraw);
    this.#code = code;
    this.#root = root;
    this.#keys = keys;
    this.#pictures = pictures;
  }

  /** The state may have changed in place. */
  take(state: TranscriptState): void {
    const { live } = state;
    this.#state = state;
    this.#groups.forget();
    if (live && live.messageId !== this.#live?.messageId) this.#live = new LiveMessage(live.messageId, this.#code);
  }

  /** Another transcript follows. */
  clear(): void {
    this.#cache.clear();
    this.#live = undefined;
    this.take({ items: [], output: new Map() });
  }

  foldAll(): void {
    this.#folding.toggleAll();
  }

  /** Opens or folds what is at a row of an item: its group, or the item itself. False if there is nothing to fold. */
  fold(index: number, row: number): boolean {
    const id = this.#foldId(index, row);
    if (id !== undefined) this.#folding.toggle(id);
    return id !== undefined;
  }

  /**
   * Opens as much of an item as `find` needs to find a row in it; an item opened for an earlier search is folded again.
   */
  open(index: number, find: (rows: VirtualRows) => number | undefined): number | undefined {
    const { items } = this.#state;
    const item = items[index];
    if (!item) return undefined;
    const group = this.#groups.at(items, index);
    this.#folding.foldOpened([item.id, ...(group ? [group.id] : [])]);
    if (group && !this.#isOpen(group)) this.#folding.openFor(group.id);
    const at = find(this.rowsOf(index));
    if (at !== undefined || !isFoldable(item)) return at;
    this.#folding.openFor(item.id);
    return find(this.rowsOf(index));
  }

  rowsOf(index: number): VirtualRows {
    const { items, live, early } = this.#state;
    const item = items[index];
    if (!item) {
      if (!live || !this.#live) return NO_ROWS;
      const open = this.#folding.isOpen(live.messageId, { usually: this.thinkingOpen });
      const look = { width: this.width, open, code: this.#code, keys: this.#keys() };
      return this.#live.rows({ ...live, early }, look);
    }
    const group = this.#groups.at(items, index);
    if (!group) return this.#itemRows(item, index);
    const open = this.#isOpen(group);
    if (index > group.from) return open ? this.#itemRows(item, index) : NO_ROWS;
    const head = this.#groups.head(items, group, { width: this.width, open, keys: this.#keys() });
    return open ? stackRows([head, this.#itemRows(item, index)]) : head;
  }

  /** True if nothing of an item is shown. */
  isUnseen(index: number): boolean {
    const { items } = this.#state;
    const item = items[index];
    const group = this.#groups.at(items, index);
    if (group && index > group.from && !this.#isOpen(group)) return true;
    return item !== undefined && isUnseen(item);
  }

  #foldId(index: number, row: number): string | undefined {
    const { items, live } = this.#state;
    const item = items[index];
    if (!item) return index === items.length && live?.thinking ? live.messageId : undefined;
    const group = this.#groups.at(items, index);
    if (group && (!this.#isOpen(group) || (index === group.from && row <= 0))) return group.id;
    return isFoldable(item) ? item.id : undefined;
  }

  #isOpen({ id }: LookGroup): boolean {
    return this.#folding.isOpen(id, { usually: false });
  }

  #itemRows(item: TranscriptItem, index: number): VirtualRows {
    const { output } = this.#state;
    const streamed = this.#live?.messageId === item.id ? this.#live.document : undefined;
    // A subagent's transcript begins with its task, which should be readable.
    const isTask = index === 0 && item.kind === "user" && item.origin === "subagent";
    const usually = isTask || (this.thinkingOpen && item.kind === "agent");
    const open = this.#folding.isOpen(item.id, { usually });
    const look = { width: this.width, open, keys: this.#keys() };
    const context = { ...look, code: this.#code, root: this.#root, pictures: this.#pictures };
    return this.#cache.rowsOf(item, { ...context, output, streamed });
  }
}

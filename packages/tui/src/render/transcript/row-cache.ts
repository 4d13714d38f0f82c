import type { TranscriptItem } from "@harness/protocol";
import type { KeyLabels } from "../../keymap/key-labels.ts";
import type { VirtualRows } from "../../text/rows.ts";
import { type ItemContext, isRunning, itemRows } from "./item-rows.ts";
import { RunningOutput } from "./tool-rows.ts";

type Entry = {
  item: TranscriptItem;
  width: number;
  open: boolean;
  keys: KeyLabels;
  generation: number;
  output: string | undefined;
  running: RunningOutput;
  rows: VirtualRows;
};

/** How many rows are cached for items out of view: enough for a few screens of scrolling. */
const MAX_ROWS = 20_000;

/**
 * Rows of items, wrapped once per item, width, folding and key names; for a running call also per output. The least
 * recently seen are dropped when there are too many rows.
 */
export class RowCache {
  readonly #entries = new Map<string, Entry>();
  readonly #onDraw: ((item: TranscriptItem) => void) | undefined;
  #height = 0;

  constructor(onDraw?: (item: TranscriptItem) => void) {
    this.#onDraw = onDraw;
  }

  rowsOf(item: TranscriptItem, context: Omit<ItemContext, "running">): VirtualRows {
    const { width, open, keys, code, pictures } = context;
    const generation = code.generation + (pictures?.generation ?? 0);
    const output = isRunning(item) ? context.output.get(item.id) : undefined;
    const known = this.#entries.get(item.id);
    if (
      known?.item === item &&
      known.width === width &&
      known.open === open &&
      known.keys === keys &&
      known.generation === generation &&
      known.output === output
    ) {
      return known.rows;
    }
    this.#onDraw?.(item);
    const running = known?.running ?? new RunningOutput();
    const rows = itemRows(item, { ...context, running });
    this.#put({ item, width, open, keys, generation, output, running, rows });
    return rows;
  }

  clear(): void {
    this.#entries.clear();
    this.#height = 0;
  }

  #put(entry: Entry): void {
    const { id } = entry.item;
    this.#height += entry.rows.height - (this.#entries.get(id)?.rows.height ?? 0);
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    for (const [oldest, { rows }] of this.#entries) {
      if (this.#height <= MAX_ROWS || oldest === id) break;
      this.#entries.delete(oldest);
      this.#height -= rows.height;
    }
  }
}

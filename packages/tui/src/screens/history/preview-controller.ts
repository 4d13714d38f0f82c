import type { ScreenHost } from "../screen.ts";
import { gapAhead, previewHeight, scrollOf } from "./drawn/preview-rows.ts";
import { PreviewReader } from "./reading/preview-reader.ts";
import { type HistoryState, historySlice } from "./state.ts";

type Room = { readonly columns: number; readonly rows: number };

/** Reads the preview of the selected session, scrolls it, and reads on where it has a gap. */
export class PreviewController {
  readonly #host: Pick<ScreenHost, "store" | "server" | "clock">;
  readonly #room: () => Room;
  readonly #reader: PreviewReader;
  #isFilling = false;

  /** `room`: the rows and columns of the preview. */
  constructor(host: Pick<ScreenHost, "store" | "server" | "clock">, room: () => Room) {
    this.#host = host;
    this.#room = room;
    this.#reader = new PreviewReader(host);
  }

  /** A different entry may be selected. */
  soon(): void {
    this.#reader.soon();
  }

  scroll(by: number): void {
    const { columns, rows } = this.#room();
    this.#change({ scroll: Math.max(0, scrollOf(this.#state, columns, rows) + by) });
    this.#change({ scroll: scrollOf(this.#state, columns, rows) });
    void this.#fillGap(by < 0 ? "up" : "down");
  }

  /** How far PgUp and PgDn scroll. */
  get page(): number {
    return Math.max(1, this.#room().rows - 6);
  }

  /** The rows in view stay where they are. */
  async #fillGap(direction: "up" | "down"): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    try {
      for (;;) {
        const { preview } = this.#state;
        const { columns, rows } = this.#room();
        const gap = gapAhead(this.#state, direction, this.#room());
        const filled = preview && gap && (await this.#reader.filled(preview, gap, direction));
        if (!filled || this.#state.preview !== preview) return;
        const before = this.#state;
        const grown =
          previewHeight({ ...before, preview: filled }, columns, rows) - previewHeight(before, columns, rows);
        const scroll = scrollOf(before, columns, rows);
        this.#change({ preview: filled, scroll: direction === "up" ? scroll + grown : scroll });
      }
    } finally {
      this.#isFilling = false;
    }
  }

  get #state(): HistoryState {
    return historySlice.of(this.#host.store.get());
  }

  #change(changes: Partial<HistoryState>): void {
    historySlice.change(this.#host.store, changes);
  }
}

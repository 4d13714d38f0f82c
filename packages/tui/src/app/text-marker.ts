import type { KeyScope } from "../keymap/scope.ts";
import { markingKeys } from "../keymap/window-keys.ts";
import type { Frame } from "../render/index.ts";
import type { CellPosition, ScrollArea } from "../render/screen-selection.ts";
import type { Store } from "../state/store.ts";
import type { Pointer } from "./pointer.ts";
import type { Transcript } from "./transcript-scope.ts";

type MarkingDeps = {
  store: Store;
  pointer(): Pointer;
  transcript: Pick<Transcript, "scrollBy" | "page">;
  /** The rows of the conversation. */
  area(): ScrollArea;
};

/** Selects text of the conversation by keys, with a cursor that is moved to both ends. */
export class TextMarker {
  readonly #deps: MarkingDeps;
  #cursor: CellPosition | undefined;
  #hasBegun = false;

  constructor(deps: MarkingDeps) {
    this.#deps = deps;
  }

  get isOn(): boolean {
    return this.#cursor !== undefined;
  }

  /** Shows the cursor in the last row. */
  start(): void {
    const { top, end } = this.#deps.area();
    if (end <= top) return;
    this.#hasBegun = false;
    this.#cursor = { x: 0, y: end - 1 };
    this.#deps.store.set({ marking: true });
  }

  stop(): void {
    if (!this.#cursor) return;
    this.#cursor = undefined;
    this.#deps.store.set({ marking: false });
  }

  /** The next frame, with the selection up to the cursor. */
  drawn(frame: Frame, area: ScrollArea): Frame {
    const pointer = this.#deps.pointer();
    const plain = pointer.drawn(frame, area);
    if (!this.#cursor) return plain;
    const y = Math.max(area.top, Math.min(this.#cursor.y, area.end - 1));
    this.#cursor = { x: this.#cursor.x, y };
    if (!this.#hasBegun) return { ...plain, cursor: this.#cursor };
    // The text may have scrolled below the cursor.
    pointer.extendTo(this.#cursor);
    return { ...pointer.drawn(frame, area), cursor: this.#cursor };
  }

  readonly take: KeyScope = (event) => {
    if (!this.#cursor || event.type !== "key") return false;
    const id = markingKeys.idOf(event);
    if (id === "close") this.#end();
    else if (id === "copy") {
      this.#deps.pointer().copyMarked();
      this.#end();
    } else if (id === "begin") {
      this.#hasBegun = true;
      this.#deps.pointer().beginAt(this.#cursor);
    } else if (id) this.#move(id, this.#cursor);
    // Other keys would act on something out of view.
    return true;
  };

  #end(): void {
    this.#deps.pointer().clear();
    this.stop();
  }

  #move(id: string, { x, y }: CellPosition): void {
    const { transcript, area, store } = this.#deps;
    const { top, end } = area();
    const last = store.get().size.columns - 1;
    if (id === "up" && y <= top) transcript.scrollBy(-1);
    else if (id === "up") this.#cursor = { x, y: y - 1 };
    else if (id === "down" && y >= end - 1) transcript.scrollBy(1);
    else if (id === "down") this.#cursor = { x, y: y + 1 };
    else if (id === "left") this.#cursor = { x: Math.max(0, x - 1), y };
    else if (id === "right") this.#cursor = { x: Math.min(last, x + 1), y };
    else if (id === "lineStart") this.#cursor = { x: 0, y };
    else if (id === "lineEnd") this.#cursor = { x: last, y };
    else transcript.page(id === "pageUp" ? -1 : 1);
  }
}

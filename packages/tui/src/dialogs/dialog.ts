import type { InputEvent } from "../input/index.ts";
import type { LineEditor } from "../input/line-editor.ts";
import type { Dialog } from "../state/dialogs.ts";
import type { Store } from "../state/store.ts";
import type { DialogActs } from "./dialog-acts.ts";
import type { DialogLayoutInput } from "./dialog-layout-input.ts";
import type { DialogQueue } from "./dialog-queue.ts";
import type { FramedRows } from "./framed-rows.ts";

export type DialogDeps = {
  readonly store: Store;
  readonly queue: DialogQueue;
  readonly acts: DialogActs;
  /** Edits the field in view. */
  readonly lines: LineEditor;
};

/** Everything the window knows about a kind of dialog: its row in the table of `dialogs/index.ts`. */
export type DialogRow<D extends Dialog> = {
  /** `secondsLeft`: until it expires. */
  readonly rows: (dialog: D, input: DialogLayoutInput, secondsLeft: number | undefined) => FramedRows;
  /** True if it needs the rows of composer and HUD on a screen that is not low, too. */
  readonly takesAllRows?: (dialog: D, input: DialogLayoutInput) => boolean;
  /** A key or a paste for the dialog in view. */
  readonly take: (deps: DialogDeps, dialog: D, event: InputEvent) => void;
  /** True if these characters, typed at the dialog, mark an answer; otherwise they begin a message. */
  readonly isAnswer: (store: Store, dialog: D, text: string) => boolean;
  /** Gives the answer that a character has marked, when it is typed again; false: the two begin a message. */
  readonly confirm?: (deps: DialogDeps, dialog: D) => boolean;
  /** True if text after the character that has marked an answer belongs to that answer. */
  readonly takesWords?: (store: Store, dialog: D) => boolean;
  /** True if it has more rows than are in view, so that keys and wheel scroll it. */
  readonly scrolls: (dialog: D, input: DialogLayoutInput) => boolean;
  /** True if it has its own field: text typed there is the answer. */
  readonly hasField: (dialog: D) => boolean;
  /** The key of the visible end, for content that must be read to its end; undefined: there is more below. */
  readonly endInView?: (dialog: D, input: DialogLayoutInput) => string | undefined;
};

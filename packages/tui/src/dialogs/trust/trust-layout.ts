import type { AppState } from "../../state/app-state.ts";
import { markedTrustAnswer, type TrustDialog, trustOptions } from "../../state/trust-dialog.ts";
import { type BodyView, bodyView } from "../scroll-body.ts";
import { secretRows } from "./secret-rows.ts";
import { trustRows } from "./trust-rows.ts";

/** Borders and padding on both sides. */
const MARGIN = 4;
/** Rows besides body and answers: borders, title, problem, keys. */
const OTHER = 5;

export type TrustLayout = BodyView & {
  /** One line per answer, or one for all of them. */
  readonly answers: readonly string[];
  /** A low screen with a draft has no room for it. */
  readonly hasTitle: boolean;
};

/** On a lower screen the answers share one row. */
const LOW_ROWS = 14;

/** Its size, and whether a draft has a row below it. */
type TrustLayoutInput = { readonly columns: number; readonly rows: number; readonly hasDraft: boolean };

export function trustPlaceIn({ size, composer }: Pick<AppState, "size" | "composer">): TrustLayoutInput {
  return { ...size, hasDraft: !composer.buffer.isEmpty };
}

/** Someone who is writing a message continues it: that is not an answer. Escape leads to the answers. */
export function isWritten({ isEntered = false }: TrustDialog, { hasDraft }: { hasDraft: boolean }): boolean {
  return hasDraft && !isEntered;
}

/** The parts of the dialog that fit. The keyboard uses it too: only what was in view can be trusted. */
export function trustLayout(dialog: TrustDialog, input: TrustLayoutInput): TrustLayout {
  const { view, providers, body, scroll: at, isWhole = false } = dialog;
  const { columns, hasDraft } = input;
  const rows = input.rows - (hasDraft ? 1 : 0);
  const width = columns - MARGIN;
  const [provider] = providers;
  const lines = body.rows(`${width} ${isWhole}`, () =>
    provider ? secretRows(view, provider, width) : trustRows(view, { width, isWhole }),
  );
  const options = trustOptions(dialog);
  const marked = markedTrustAnswer(dialog);
  const answers =
    rows < LOW_ROWS
      ? [options.map(({ keys: [key], short }, at) => `${at === marked ? "›" : ""}${key} ${short}`).join(" · ")]
      : options.map(({ keys: [key], name }, at) => `${at === marked ? "›" : " "} ${key}  ${name}`);
  const hasTitle = rows >= LOW_ROWS || !hasDraft;
  const other = OTHER - (hasTitle ? 0 : 1) + answers.length;
  return { answers, hasTitle, ...bodyView(lines, at, Math.max(1, rows - other)) };
}

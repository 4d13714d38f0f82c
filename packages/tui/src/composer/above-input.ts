import type { ChromeView } from "../state/chrome-view.ts";
import { type Row, row, sanitiseLine, span, style } from "../text/index.ts";
import { inset } from "../widgets/boxes.ts";
import { noteRows } from "../widgets/note-rows.ts";
import { completionRows } from "./completion-rows.ts";

/** The rows right above the input on Home and Chat: notes and the completion menu. */
export function aboveInput(view: ChromeView): Row[] {
  const { size, screen, completion, modelWarning } = view;
  const warning =
    modelWarning && screen === "chat" ? [row(span(sanitiseLine(modelWarning), style({ fg: "warning" })))] : [];
  return [...inset(warning, size.columns), ...noteRows(view), ...completionRows(completion, size)];
}

import { attachmentRows } from "../attachments/attachment-rows.ts";
import type { KeyLabels } from "../keymap/key-labels.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import { type Row, row, sanitiseLine, span, style } from "../text/index.ts";
import { inset } from "../widgets/boxes.ts";
import { noteRows } from "../widgets/note-rows.ts";
import { completionRows } from "./completion-rows.ts";
import { promptSearchRows } from "./prompt-search-rows.ts";

/** The rows right above the input on Home and Chat: notes, attachments of the message, and the completion menu. */
export function aboveInput(view: ChromeView): Row[] {
  const { size, screen, completion, search, stashed, modelWarning, keys } = view;
  const warning =
    modelWarning && screen === "chat" ? [row(span(sanitiseLine(modelWarning), style({ fg: "warning" })))] : [];
  return [
    ...inset(warning, size.columns),
    ...noteRows(view),
    ...attachmentRows(view),
    ...inset(stashRows(stashed, keys), size.columns),
    ...completionRows(completion, size),
    ...promptSearchRows(search, view),
  ];
}

/** The longest visible beginning of a draft. */
const MAX_SHOWN = 300;

/** The stashed draft that returns next. */
function stashRows(stashed: readonly string[], keys: KeyLabels): Row[] {
  const last = stashed.at(-1);
  if (last === undefined) return [];
  const more = stashed.length > 1 ? ` and ${stashed.length - 1} more` : "";
  const text = sanitiseLine(
    last
      .slice(0, MAX_SHOWN)
      .trim()
      .replace(/\s*\n\s*/g, " ⏎ "),
  );
  const restores = keys.say("input.stash", (key) => ` (${key} restores)`, " (back after the next message)");
  return [row(span(`Stashed${more}${restores}: ${text}`, style({ fg: "muted" })))];
}

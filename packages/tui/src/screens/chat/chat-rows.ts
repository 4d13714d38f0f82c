import { aboveInput } from "../../composer/above-input.ts";
import { type DialogPlace, dialogPlace, isLowScreen } from "../../dialogs/dialog-place.ts";
import { permissionRows } from "../../dialogs/permission/permission-rows.ts";
import { questionRows } from "../../dialogs/question/question-rows.ts";
import { reviewRows } from "../../dialogs/review/review-rows.ts";
import type { ChromeView } from "../../state/chrome-view.ts";
import type { PermissionDialog } from "../../state/dialogs.ts";
import { firstSentence } from "../../text/first-sentence.ts";
import { type Row, span, style, textLines, wrapSpans } from "../../text/index.ts";
import type { Role } from "../../theme/theme.ts";
import { inset } from "../../widgets/boxes.ts";
import { todoPanel } from "./todo-panel.ts";
import { waitingRows } from "./waiting-rows.ts";

/** Below this height only the dialog is shown, without further information. */
const ROOMY_ROWS = 30;

/** Between transcript and input: dialogs and what waits. */
export function chatRows(view: ChromeView): Row[] {
  const { dialogs, size, reading, secondsLeft } = view;
  const [dialog] = dialogs;
  const place = dialogPlace(view);
  const isFull = dialog !== undefined && size.rows < ROOMY_ROWS;
  const wrapped = (text: string, role: Role): Row[] =>
    inset(
      textLines(text).flatMap((line) => wrapSpans([span(line, style({ fg: role }))], size.columns - 2)),
      size.columns,
    );
  return [
    // The first sentence says who holds it; the rest was shown when it was opened.
    ...(reading ? wrapped(`Open elsewhere: reading only. ${firstSentence(reading).first}`, "warning") : []),
    ...(isFull ? [] : [...todoPanel(view), ...waitingRows(view)]),
    ...(dialog?.kind === "permission" ? cardRows(dialog, place) : []),
    ...(dialog?.kind === "question" ? questionRows(dialog, place, secondsLeft) : []),
    ...(dialog && isLowScreen(size) ? [] : aboveInput(isFull ? { ...view, notes: [] } : view)),
  ];
}

function cardRows(dialog: PermissionDialog, place: DialogPlace): Row[] {
  return dialog.permission.review ? reviewRows(dialog, place) : permissionRows(dialog, place);
}

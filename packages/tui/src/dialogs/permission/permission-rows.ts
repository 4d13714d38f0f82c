import { fieldHint } from "../../keymap/field-keys.ts";
import type { PermissionDialog } from "../../state/dialogs.ts";
import { EMPTY_ROW, type Row, row, type Span, span, stringWidth, style, visible } from "../../text/index.ts";
import type { Field } from "../../widgets/line-field.tsx";
import type { DialogLayoutInput } from "../dialog-layout-input.ts";
import { type FramedRows, framedRows } from "../framed-rows.ts";
import { nextRows } from "../next-rows.ts";
import { restRows } from "../scroll-body.ts";
import { changeText } from "./diff-preview.ts";
import { riskRole } from "./permission-body.ts";
import { changeInTitle, endText, requestTitle } from "./permission-facts.ts";
import { permissionLayout } from "./permission-layout.ts";

const WARNING = style({ fg: "warning" });
const MUTED = style({ fg: "muted" });
/** Before the words for the model; in a narrow window they need the room. */
const REASON = [span("No. Do this instead: ", style({ fg: "accent" }))];
const SHORT_REASON = [span("> ", style({ fg: "accent" }))];
const NARROW_COLUMNS = 44;
const BOLD = style({ bold: true });
/** Columns of the frame beside a row, and beside the text in its last row. */
const FRAME = 4;
const FOOT_FRAME = 6;

/** The question if this call may run, with everything needed to decide it, and the keys. */
export function permissionRows(dialog: PermissionDialog, input: DialogLayoutInput): FramedRows {
  const { permission, armed, feedback, tooEarly = false } = dialog;
  const layout = permissionLayout(dialog, input);
  const role = riskRole(permission);
  const pages = { of: "permission", keys: input.keys, tooEarly } as const;
  const hint = layout.isLow
    ? []
    : [
        row(
          span(
            fieldHint({ enter: feedback?.isEmpty === false ? "sends it" : "says only no", leave: "goes back" }),
            MUTED,
          ),
        ),
      ];
  const answers = armed ? layout.answers : layout.answers.map((_, at) => row(span(at === 0 ? "…" : " ")));
  const rows: (Row | Field)[] = [
    ...earlyRows(dialog),
    ...layout.origin.map((each) => row(...visible(each).map(({ text }) => span(text, WARNING)))),
    ...layout.shown,
    ...(layout.hasFoot ? [] : restRows(layout, { ...pages, width: input.columns - FRAME })),
    ...(layout.hasGap ? [EMPTY_ROW] : []),
    ...(feedback
      ? [{ label: input.columns < NARROW_COLUMNS ? SHORT_REASON : REASON, text: feedback.text }, ...hint]
      : answers),
    ...(dialog.isMore ? [row(span(input.keys.hint("permission.stop", "goes back"), MUTED))] : []),
    ...nextRows(input, layout.next),
  ];
  const end = titleEnd(permission, input);
  const title = visible(requestTitle(permission).text, BOLD);
  // Where every row of the body counts, the frame says what is below it.
  const foot = layout.hasFoot ? restRows(layout, { ...pages, width: input.columns - FOOT_FRAME }) : [];
  return framedRows(rows, { role, columns: input.columns, title, end, foot: foot[0] });
}

/** `+8 −2 · high risk · 1 of 3`, as far as there is room. */
function titleEnd(permission: PermissionDialog["permission"], { behind, root, columns }: DialogLayoutInput): Span[] {
  const end = endText(permission, behind.length);
  const rest = end === "" ? [] : [span(end, style({ fg: permission.risk === "high" ? "error" : "accent" }))];
  const inTitle = changeInTitle(permission, { root, columns, end });
  if (!inTitle) return rest;
  const counts = `${changeText(inTitle.diff)}${end === "" ? "" : " · "}`;
  return stringWidth(counts) <= inTitle.room ? [span(counts, MUTED), ...rest] : rest;
}

/** Keys that came before the dialog answer nothing, and are not kept as a draft either. */
function earlyRows({ early }: PermissionDialog): Row[] {
  if (early === undefined) return [];
  return [row(...visible(`You typed ${early} before this was asked. It answered nothing.`, WARNING))];
}

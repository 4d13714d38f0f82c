import { fieldHint } from "../../keymap/field-keys.ts";
import type { PermissionDialog } from "../../state/dialogs.ts";
import { EMPTY_ROW, type Row, row, span, style, visible } from "../../text/index.ts";
import type { Field } from "../../widgets/line-field.tsx";
import type { DialogLayoutInput } from "../dialog-layout-input.ts";
import { type FramedRows, framedRows } from "../framed-rows.ts";
import { nextRows } from "../next-rows.ts";
import { restRows } from "../scroll-body.ts";
import { riskRoles } from "./permission-body.ts";
import { requestTitle } from "./permission-facts.ts";
import { permissionLayout } from "./permission-layout.ts";

const WARNING = style({ fg: "warning" });
const MUTED = style({ fg: "muted" });
const REASON = [span("Tell it what to do instead: ", style({ fg: "accent" }))];
const BOLD = style({ bold: true });
const riskLabels: Record<PermissionDialog["permission"]["risk"], string> = {
  safe: "safe",
  medium: "medium risk",
  high: "high risk",
};

/** The question if this call may run, with everything needed to decide it, and the keys. */
export function permissionRows(dialog: PermissionDialog, input: DialogLayoutInput): FramedRows {
  const { permission, armed, feedback, tooEarly = false } = dialog;
  const layout = permissionLayout(dialog, input);
  const role = riskRoles[permission.risk];
  const waiting = input.behind.length > 0 ? ` · 1 of ${input.behind.length + 1}` : "";
  const hint = layout.isLow ? [] : [row(span(fieldHint({ enter: "sends it", leave: "goes back" }), MUTED))];
  const answers = armed ? layout.answers : layout.answers.map((_, at) => row(span(at === 0 ? "…" : " ")));
  const rows: (Row | Field)[] = [
    ...layout.origin.map((each) => row(...visible(each).map(({ text }) => span(text, WARNING)))),
    ...layout.shown,
    ...restRows(layout, { of: "permission", keys: input.keys, tooEarly }),
    ...(layout.hasGap ? [EMPTY_ROW] : []),
    ...(feedback ? [{ label: REASON, text: feedback.text }, ...hint] : answers),
    ...nextRows(input, layout.next),
  ];
  const title = visible(requestTitle(permission).text, BOLD);
  const end = [span(`${riskLabels[permission.risk]}${waiting}`, style({ fg: role }))];
  return framedRows(rows, { role, columns: input.columns, title, end });
}

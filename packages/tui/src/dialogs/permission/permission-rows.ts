import type { PermissionDialog } from "../../state/dialogs.ts";
import { titleOf } from "../../state/dialogs.ts";
import { type Row, row, span, style, visible } from "../../text/index.ts";
import type { Role } from "../../theme/theme.ts";
import { framed, spread } from "../../widgets/boxes.ts";
import { fieldRows } from "../../widgets/field-rows.ts";
import type { DialogPlace } from "../dialog-place.ts";
import { nextRows } from "../next-rows.ts";
import { restRows } from "../scroll-body.ts";
import { permissionLayout } from "./permission-layout.ts";

const WARNING = style({ fg: "warning" });
const risks: Record<PermissionDialog["permission"]["risk"], { role: Role; label: string }> = {
  safe: { role: "success", label: "safe" },
  medium: { role: "warning", label: "medium risk" },
  high: { role: "error", label: "high risk" },
};

/** May this call run? Everything a person needs to decide it, and the keys that do. */
export function permissionRows(dialog: PermissionDialog, place: DialogPlace): Row[] {
  const { permission, armed, feedback, tooEarly = false } = dialog;
  const layout = permissionLayout(dialog, place);
  const { role, label } = risks[permission.risk];
  const width = place.columns - 4;
  const waiting = place.behind.length > 0 ? ` · 1 of ${place.behind.length + 1}` : "";
  const hint = layout.isLow ? {} : { hint: "Enter denies · Esc goes back" };
  const answers = armed ? layout.answers : layout.answers.map((_, at) => row(span(at === 0 ? "…" : " ")));
  const rows = [
    spread(visible(titleOf(permission)), [span(`  ${label}${waiting}`, style({ fg: role }))], width),
    ...layout.origin.map((each) => row(...visible(each).map(({ text }) => span(text, WARNING)))),
    ...layout.shown,
    ...restRows(layout, { tooEarly }),
    ...(feedback ? fieldRows({ label: "Why not? ", buffer: feedback, columns: width, ...hint }) : answers),
    ...nextRows(place, layout.next),
  ];
  return framed(rows, role, place.columns);
}

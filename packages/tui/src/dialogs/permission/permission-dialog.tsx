import { Box } from "ink";
import { type PermissionDialog as Dialog, titleOf } from "../../state/dialogs.ts";
import { row, span, style, visible } from "../../text/index.ts";
import type { Role } from "../../theme.ts";
import { LineField } from "../../widgets/line-field.tsx";
import { Framed, RowList, RowText, Themed } from "../../widgets/themed.tsx";
import type { DialogPlace } from "../dialog-place.ts";
import { NextDialogs } from "../next-dialogs.tsx";
import { type PermissionLayout, permissionLayout } from "./permission-layout.ts";

const riskRoles: Record<Dialog["permission"]["risk"], Role> = { safe: "success", medium: "warning", high: "error" };
const riskLabels: Record<Dialog["permission"]["risk"], string> = {
  safe: "safe",
  medium: "medium risk",
  high: "high risk",
};

type Props = {
  readonly dialog: Dialog;
  readonly place: DialogPlace;
  /** The dialogs behind this one, and the session in view. */
  readonly behind: Parameters<typeof NextDialogs>[0]["dialogs"];
  readonly sessionId: string | undefined;
};

/** May this call run? Everything a person needs to decide it, and the keys that do. */
export function PermissionDialogView({ dialog, place, behind, sessionId }: Props) {
  const { permission, armed, feedback } = dialog;
  const layout = permissionLayout(dialog, place);
  const { isLow, origin, answers, next } = layout;
  const role = riskRoles[permission.risk];
  const waiting = behind.length > 0 ? ` · 1 of ${behind.length + 1}` : "";
  return (
    <Framed tone={role}>
      <Box justifyContent="space-between">
        <RowText row={row(...visible(titleOf(permission)))} />
        <Box flexShrink={0}>
          <Themed tone={role}>{`  ${riskLabels[permission.risk]}${waiting}`}</Themed>
        </Box>
      </Box>
      {origin.map((each) => (
        <RowText key={each} row={row(...visible(each).map((part) => span(part.text, style({ fg: "warning" }))))} />
      ))}
      <Body layout={layout} tooEarly={dialog.tooEarly === true} />
      {feedback ? (
        <LineField
          label="Why not? "
          buffer={feedback}
          columns={place.columns - 4}
          {...(isLow ? {} : { hint: "Enter denies · Esc goes back" })}
        />
      ) : (
        <RowList rows={armed ? answers : answers.map((_, at) => row(span(at === 0 ? "…" : " ")))} />
      )}
      <NextDialogs dialogs={behind.slice(0, next)} sessionId={sessionId} />
    </Framed>
  );
}

/** As much of the body as fits; the rest can be scrolled to. */
function Body({ layout, tooEarly }: { readonly layout: PermissionLayout; readonly tooEarly: boolean }) {
  const { shown, hidden, maxScroll } = layout;
  const rest = tooEarly ? `PgDn to see the rest first: ${hidden} more` : `↓ ${hidden} more: PgDn`;
  return (
    <Box flexDirection="column">
      <RowList rows={shown} />
      {maxScroll > 0 ? (
        <Themed tone={tooEarly && hidden > 0 ? "warning" : "muted"}>
          {hidden > 0 ? rest : "The end. PgUp goes back."}
        </Themed>
      ) : null}
    </Box>
  );
}

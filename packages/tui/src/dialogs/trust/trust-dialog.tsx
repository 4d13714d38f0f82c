import { Box } from "ink";
import type { ChromeView } from "../../state/chrome-view.ts";
import type { TrustDialog } from "../../state/trust-dialog.ts";
import { sanitiseLine } from "../../text/index.ts";
import { LeaveHint } from "../../widgets/leave-hint.tsx";
import { Framed, RowList, Themed } from "../../widgets/themed.tsx";
import { trustLayout } from "./trust-layout.ts";

type Props = { readonly dialog: TrustDialog; readonly view: Pick<ChromeView, "size" | "leaveArmed"> };

/** What this folder would run, over the whole screen, and whether it may. */
export function TrustDialogView({ dialog, view }: Props) {
  const { size, leaveArmed } = view;
  const { asked, armed, saving, problem, tooEarly } = dialog;
  const { shown, hidden, maxScroll, answers } = trustLayout(dialog, size);
  const rest = tooEarly ? `PgDn to see the rest first: ${hidden} more` : `↓ ${hidden} more: PgDn`;
  const close = asked ? "Esc or Enter: no" : "Esc closes";
  return (
    <Box flexDirection="column" height={size.rows} width={size.columns}>
      <Framed tone="warning" fill>
        <Themed bold>{asked ? "Do you trust what this folder would run?" : "Trust of this folder"}</Themed>
        <RowList rows={shown} />
        {maxScroll > 0 ? (
          <Themed tone={tooEarly && hidden > 0 ? "warning" : "muted"}>
            {hidden > 0 ? rest : "The end. PgUp goes back."}
          </Themed>
        ) : null}
        {problem ? <Themed tone="error">{sanitiseLine(problem)}</Themed> : null}
        {saving ? <Themed tone="muted">Keeping your answer…</Themed> : null}
        {saving
          ? null
          : answers.map((answer, at) => <Themed key={answer}>{armed ? answer : at === 0 ? "…" : " "}</Themed>)}
      </Framed>
      {leaveArmed ? <LeaveHint /> : <Themed tone="muted">{` PgUp PgDn scroll · ${close}`}</Themed>}
    </Box>
  );
}

import type { ChromeView } from "../../state/chrome-view.ts";
import type { TrustDialog } from "../../state/trust-dialog.ts";
import { sanitiseLine } from "../../text/index.ts";
import { OverlayFrame } from "../../widgets/overlay-frame.tsx";
import { Framed, RowList, Themed } from "../../widgets/themed.tsx";
import { trustLayout } from "./trust-layout.ts";

type Props = { readonly dialog: TrustDialog; readonly view: Pick<ChromeView, "size" | "leaveArmed"> };

/** The trust dialog, over the whole screen: what this folder would run, and whether it may. */
export function TrustDialogView({ dialog, view }: Props) {
  const { asked, armed, saving, problem, tooEarly } = dialog;
  const { shown, hidden, maxScroll, answers } = trustLayout(dialog, view.size);
  const rest = tooEarly ? `PgDn to see the rest first: ${hidden} more` : `↓ ${hidden} more: PgDn`;
  const close = asked ? "Esc or Enter: no" : "Esc closes";
  return (
    <OverlayFrame view={view} keys={`PgUp PgDn scroll · ${close}`}>
      <Framed tone="warning" fill>
        <Themed bold>{asked ? "Do you trust what this folder would run?" : "Trust of this folder"}</Themed>
        <RowList rows={shown} />
        {maxScroll > 0 ? (
          <Themed tone={tooEarly && hidden > 0 ? "warning" : "muted"}>
            {hidden > 0 ? rest : "The end. PgUp goes back."}
          </Themed>
        ) : null}
        {problem ? <Themed tone="error">{sanitiseLine(problem)}</Themed> : null}
        {saving ? <Themed tone="muted">Saving your answer…</Themed> : null}
        {saving
          ? null
          : answers.map((answer, at) => <Themed key={answer}>{armed ? answer : at === 0 ? "…" : " "}</Themed>)}
      </Framed>
    </OverlayFrame>
  );
}

import type { QuestionDialog as Dialog } from "../../state/dialogs.ts";
import { visibleText } from "../../text/index.ts";
import { LineField } from "../../widgets/line-field.tsx";
import { Framed, RowList, Themed } from "../../widgets/themed.tsx";
import type { DialogPlace } from "../dialog-place.ts";
import { NextDialogs } from "../next-dialogs.tsx";
import { questionLayout } from "./question-layout.ts";

type Props = {
  readonly dialog: Dialog;
  readonly place: DialogPlace;
  /** The dialogs behind this one, and the session in view. */
  readonly behind: Parameters<typeof NextDialogs>[0]["dialogs"];
  readonly sessionId: string | undefined;
  /** Seconds until the question expires; undefined when it does not. */
  readonly secondsLeft: number | undefined;
};

/** A question of the agent: answered by number, by text, or not at all. */
export function QuestionDialogView({ dialog, place, behind, sessionId, secondsLeft }: Props) {
  const { question, typed, armed } = dialog;
  const { isLow, shown, hidden, maxScroll, next } = questionLayout(dialog, place);
  const left = secondsLeft === undefined ? "" : ` · given up in ${countdown(secondsLeft)}`;
  const waiting = behind.length > 0 ? ` · 1 of ${behind.length + 1}` : "";
  const more = maxScroll > 0 && hidden > 0 ? [`↓ ${hidden} more: PgDn`] : [];
  return (
    <Framed tone="info">
      {isLow ? null : <Themed tone="info">{`A question${waiting}${left}`}</Themed>}
      {isLow && left !== "" ? <Themed tone="info">{left.slice(3)}</Themed> : null}
      {(isLow ? [] : place.origin).map((each) => (
        <Themed key={each} tone="warning">
          {visibleText(each)}
        </Themed>
      ))}
      <RowList rows={shown} />
      {armed && question.freeText ? <LineField label="> " buffer={typed} columns={place.columns - 4} /> : null}
      <Themed tone="muted">
        {armed ? [...more, keysText(dialog, place.columns - 4 - more.join().length)].join(" · ") : "…"}
      </Themed>
      <NextDialogs dialogs={behind.slice(0, next)} sessionId={sessionId} />
    </Framed>
  );
}

/** The hint about the keys, in the longest form that fits. */
function keysText({ question }: Dialog, columns: number): string {
  const byNumber = question.options.length > 0 ? ["a number answers"] : [];
  const whole = [...byNumber, ...(question.freeText ? ["Enter sends your words"] : []), "Esc gives no answer"].join(
    " · ",
  );
  if (whole.length <= columns) return whole;
  return [...(question.freeText ? ["Enter sends"] : []), "Esc gives no answer"].join(" · ");
}

/** `42 s`, `1:05 min`. */
function countdown(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
}

import { hints } from "../../keymap/key-labels.ts";
import type { ChromeView } from "../../state/chrome-view.ts";
import type { TrustDialog } from "../../state/trust-dialog.ts";
import { type Row, row, type Span, sanitiseLine, span, style } from "../../text/index.ts";
import { framed } from "../../widgets/boxes.ts";
import { type OverlayView, overlayFrame } from "../../widgets/overlay-frame.ts";
import { writingText } from "../dialog-layout-input.ts";
import { restRows } from "../scroll-body.ts";
import { isWritten, trustLayout } from "./trust-layout.ts";

const BOLD = style({ bold: true });
/** Columns of the frame beside a row. */
const FRAME = 4;
const MUTED = style({ fg: "muted" });
const MARKED = style({ fg: "accent", bold: true });
const ERROR = style({ fg: "error" });

/** The trust dialog on the whole screen: what this folder would run, and whether it may. */
export function trustScreen(dialog: TrustDialog, view: OverlayView & Pick<ChromeView, "hasDraft" | "outgoing">): Row[] {
  const { asked, armed, saving, problem, providers, tooEarly = false } = dialog;
  const { keys, hasDraft } = view;
  const { columns } = view.size;
  const layout = trustLayout(dialog, { ...view.size, hasDraft });
  const isWriting = isWritten(dialog, { hasDraft });
  const answers = saving
    ? [row(span("Saving your answer…", MUTED))]
    : layout.answers.map((answer, at) =>
        row(...(armed && !isWriting ? lit(answer) : [span(armed ? answer : at === 0 ? "…" : " ", MUTED)])),
      );
  const rows = [
    ...(layout.hasTitle ? [row(span(titleOf(dialog), BOLD))] : []),
    ...layout.shown,
    ...restRows(layout, { of: "trust", keys, tooEarly, width: columns - FRAME }),
    ...(problem ? [row(span(sanitiseLine(problem), ERROR))] : []),
    ...answers,
  ];
  // The row of the draft is below this screen.
  const size = { columns, rows: view.size.rows - (hasDraft ? 1 : 0) };
  const waits = view.outgoing.length > 0 ? "your message is sent once you have answered" : "";
  const answering = hints(
    waits,
    keys.hint(["trust.previous", "trust.next", "trust.take"], "answer"),
    keys.hint(["trust.pageUp", "trust.pageDown"], "scroll"),
    providers.length === 0 && dialog.view.items.some(({ whole }) => whole !== undefined)
      ? keys.hint("trust.whole", dialog.isWhole ? "a line of each" : "whole files")
      : "",
    asked ? keys.say("trust.no", (key) => `${key}: no`) : keys.hint("trust.no", "closes"),
  );
  const below = isWriting ? writingText(view, "answer this") : answering;
  return overlayFrame(framed(rows, "warning", columns, Math.min(size.rows - 1, rows.length + 2)), below, {
    ...view,
    size,
  });
}

function titleOf({ asked, providers }: TrustDialog): string {
  if (providers.length > 0) return "Grant secrets to a provider of this folder?";
  return asked ? "Trust this folder?" : "Trust of this folder";
}

function lit(answer: string): Span[] {
  return [answer.startsWith("›") ? span(answer, MARKED) : span(answer)];
}

import type { ChromeView } from "../../state/chrome-view.ts";
import type { TrustDialog } from "../../state/trust-dialog.ts";
import { type Row, row, sanitiseLine, span, style } from "../../text/index.ts";
import { framed } from "../../widgets/boxes.ts";
import { overlayFrame } from "../../widgets/overlay-frame.ts";
import { restRows } from "../scroll-body.ts";
import { trustLayout } from "./trust-layout.ts";

const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const MARKED = style({ fg: "accent", bold: true });
const ERROR = style({ fg: "error" });

/** The trust dialog, over the whole screen: what this folder would run, and whether it may. */
export function trustScreen(dialog: TrustDialog, view: Pick<ChromeView, "size" | "leaveArmed" | "chord">): Row[] {
  const { asked, armed, saving, problem, tooEarly = false } = dialog;
  const layout = trustLayout(dialog, view.size);
  const answers = saving
    ? [row(span("Saving your answer…", MUTED))]
    : layout.answers.map((answer, at) =>
        row(span(armed ? answer : at === 0 ? "…" : " ", armed && answer.startsWith("›") ? MARKED : undefined)),
      );
  const rows = [
    row(span(asked ? "Trust this folder?" : "Trust of this folder", BOLD)),
    ...layout.shown,
    ...restRows(layout, { tooEarly }),
    ...(problem ? [row(span(sanitiseLine(problem), ERROR))] : []),
    ...answers,
  ];
  const { columns, rows: height } = view.size;
  const keys = `↑↓ Enter answer · PgUp PgDn scroll · ${asked ? "Esc: no" : "Esc closes"}`;
  return overlayFrame(framed(rows, "warning", columns, height - 1), keys, view);
}

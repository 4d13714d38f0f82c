import { hints } from "../../keymap/key-names.ts";
import type { TrustDialog } from "../../state/trust-dialog.ts";
import { type Row, row, sanitiseLine, span, style } from "../../text/index.ts";
import { framed } from "../../widgets/boxes.ts";
import { type OverlayView, overlayFrame } from "../../widgets/overlay-frame.ts";
import { restRows } from "../scroll-body.ts";
import { trustLayout } from "./trust-layout.ts";

const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const MARKED = style({ fg: "accent", bold: true });
const ERROR = style({ fg: "error" });

/** The trust dialog, over the whole screen: what this folder would run, and whether it may. */
export function trustScreen(dialog: TrustDialog, view: OverlayView): Row[] {
  const { asked, armed, saving, problem, tooEarly = false } = dialog;
  const { keys } = view;
  const layout = trustLayout(dialog, view.size);
  const answers = saving
    ? [row(span("Saving your answer…", MUTED))]
    : layout.answers.map((answer, at) =>
        row(span(armed ? answer : at === 0 ? "…" : " ", armed && answer.startsWith("›") ? MARKED : undefined)),
      );
  const rows = [
    row(span(asked ? "Trust this folder?" : "Trust of this folder", BOLD)),
    ...layout.shown,
    ...restRows(layout, { of: "trust", keys, tooEarly }),
    ...(problem ? [row(span(sanitiseLine(problem), ERROR))] : []),
    ...answers,
  ];
  const { columns, rows: height } = view.size;
  const below = hints(
    keys.hint(["trust.previous", "trust.next", "trust.take"], "answer"),
    keys.hint(["trust.pageUp", "trust.pageDown"], "scroll"),
    asked ? keys.say("trust.no", (key) => `${key}: no`) : keys.hint("trust.no", "closes"),
  );
  return overlayFrame(framed(rows, "warning", columns, height - 1), below, view);
}

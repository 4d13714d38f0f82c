import type { DiffBlock } from "@harness/protocol";
import { themeNames } from "@harness/protocol/choices";
import type { KeyLabels } from "../../keymap/key-labels.ts";
import { hints } from "../../keymap/key-labels.ts";
import { diffRows } from "../../render/diff/diff-rows.ts";
import { EMPTY_ROW, padRow, type Row, row, span, style, truncateRow } from "../../text/index.ts";
import { markdownRows } from "../../text/markdown/document.ts";
import { inset, listMarker, titledFrame } from "../../widgets/boxes.ts";
import { listWindow } from "../../widgets/list-slice.ts";
import { type OverlayView, overlayFrame } from "../../widgets/overlay-frame.ts";
import type { ThemePicker } from "./state.ts";

const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const LIST_COLUMNS = 24;
/** From this width on the sample is beside the list; else below it. */
const WIDE = 70;
/** With fewer rows than this, the parts of the sample stand without blank rows. */
const AIRY_ROWS = 26;
/** The rows of the list above a sample. */
const LOW_LIST = 6;

/** The themes, and a sample in the marked one, which the whole window uses meanwhile. */
export function themePickerRows(picker: ThemePicker, view: OverlayView): Row[] {
  const { columns, rows } = view.size;
  const height = rows - 3;
  const isWide = columns >= WIDE;
  const list = listRows(picker, isWide ? height : Math.min(LOW_LIST, Math.ceil(height / 2)));
  const width = isWide ? columns - LIST_COLUMNS - 5 : columns - 2;
  const sample = sampleRows(picker, { width, gap: height < AIRY_ROWS ? [] : [EMPTY_ROW] }, view.keys);
  const body = isWide ? beside(list, sample, height) : [...list, EMPTY_ROW, ...sample];
  const keys = hints(
    view.keys.hint(["lists.up", "lists.down"], "try"),
    view.keys.hint("themes.keep", "keep"),
    view.keys.hint("lists.close", "back to the old one"),
  );
  return overlayFrame(inset([row(span("Theme", BOLD)), EMPTY_ROW, ...body], columns), keys, view);
}

function listRows({ selected, before }: ThemePicker, height: number): Row[] {
  const { from, to } = listWindow(selected, themeNames.length, height);
  return themeNames.slice(from, to).map((name, at) => {
    const isMarked = from + at === selected;
    return row(listMarker(name, { isMarked }), span(name === before ? " ✓" : "", MUTED));
  });
}

function beside(list: readonly Row[], sample: readonly Row[], height: number): Row[] {
  return Array.from({ length: height }, (_, at) => {
    const left = padRow(truncateRow(list[at] ?? EMPTY_ROW, LIST_COLUMNS), LIST_COLUMNS + 2);
    return row(...left.spans, ...(sample[at]?.spans ?? []));
  });
}

const PROSE = `## Why the test failed

\`total\` added **prices** before *discounts*; see [the report](https://example.org).

- one cause, two files
- the second one stays as it is
`;

const DIFF: DiffBlock = {
  type: "diff",
  path: "src/cart.ts",
  change: "modify",
  hunks: `@@ -1,4 +1,5 @@
 // Prices are in cents.
 export function total(items: Item[]): number {
-  return sum(items.map(priceOf));
+  const shown = items.filter(isShown);
+  return sum(shown.map(priceOf));
 }
`,
  added: 2,
  removed: 1,
};

/** An answer, a change and a question, as the conversation shows them. `gap`: between them. */
function sampleRows(
  { code }: ThemePicker,
  { width, gap }: { width: number; gap: readonly Row[] },
  keys: KeyLabels,
): Row[] {
  const answers = row(
    ...[span("› y ", style({ fg: "accent", bold: true })), span("Yes", BOLD), span("   n ", style({ fg: "accent" }))],
    span("No, tell it what to do instead"),
  );
  const question = [row(span("npm test", style({ bold: true }))), ...gap, answers];
  return [
    row(span("> ", style({ fg: "user" })), span("why does the cart test fail?", style({ fg: "user" }))),
    ...gap,
    ...markdownRows(PROSE, width, code),
    ...gap,
    row(
      span("● ", style({ fg: "success" })),
      span("Edited", BOLD),
      span(" src/cart.ts ", MUTED),
      span("+2", style({ fg: "added" })),
      span(" −1", style({ fg: "removed" })),
    ),
    ...diffRows(DIFF, { width, open: true, code, keys, root: "/" }),
    ...gap,
    ...titledFrame(question, {
      role: "accent",
      columns: Math.min(width, 60),
      title: [span("Run a command", BOLD)],
      end: [],
    }),
    row(span("warning ", style({ fg: "warning" })), span("error ", style({ fg: "error" })), span("muted", MUTED)),
  ];
}

import { priceText } from "@harness/client";
import type { ModelView } from "@harness/protocol";
import type { ChromeView } from "../../state/chrome-view.ts";
import type { ModelPicker } from "../../state/overlay.ts";
import { EMPTY_ROW, type Row, row, sanitiseLine, span, style, wrapSpans } from "../../text/index.ts";
import { inset, marked } from "../../widgets/boxes.ts";
import { shortCount } from "../../widgets/hud-row.ts";
import { listWindow } from "../../widgets/list-slice.ts";
import { overlayFrame } from "../../widgets/overlay-frame.ts";
import { modelLabel, shownModels } from "./shown-models.ts";

const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });

/** The models of every provider that is ready. */
export function modelPickerRows(picker: ModelPicker, view: ChromeView): Row[] {
  const { size, hud, providers } = view;
  const { models, filter, problems, selected } = picker;
  const shown = shownModels(picker);
  const { from, to } = listWindow(selected, shown.length, size.rows - 7 - problems.length);
  const isEmpty = models?.length === 0;
  const empty = isEmpty ? "No provider has a model." : models ? "No model matches." : "Asking the providers…";
  const warnings = (texts: readonly string[]): Row[] =>
    texts.flatMap((text) => wrapSpans([span(sanitiseLine(text), WARNING)], size.columns - 2));
  const rows = [
    row(span(`Model${filter === "" ? "" : `  filter: ${filter}`}`, BOLD)),
    EMPTY_ROW,
    ...(shown.length === 0 ? [row(span(empty, MUTED))] : []),
    ...(isEmpty ? warnings(providers?.advice ?? []) : []),
    ...shown.slice(from, to).map((each, at) => {
      const inUse = each.model === hud?.model && each.provider === hud?.provider ? ["in use"] : [];
      const facts = span(`  ${[...factsOf(each), ...inUse].join(" · ")}`, MUTED);
      return row(marked(sanitiseLine(modelLabel(each)), { isMarked: from + at === selected }), facts);
    }),
    ...warnings(problems),
  ];
  return overlayFrame(inset(rows, size.columns), "↑↓ move · type to filter · Enter use · Esc back", view);
}

/** Context window, price, abilities, and whether a server has it in memory. */
function factsOf({ windowTokens, price, abilities, loaded, capabilities }: ModelView): string[] {
  const can = (["tools", "images", "thinking"] as const).filter((each) => abilities?.[each]);
  return [
    ...(windowTokens ? [`${shortCount(windowTokens)} tokens`] : []),
    price ? priceText(price) : "price unknown",
    ...(can.length > 0 ? [can.join(", ")] : []),
    ...(loaded ? ["loaded"] : []),
    ...(capabilities ? ["tried out"] : []),
  ];
}
